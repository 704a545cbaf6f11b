import type { Database } from '../src/db/client.ts';
import { createRuns } from '../src/ledger/runs.ts';
import { publish } from '../src/publish/publish.ts';
import { releasePartial } from '../src/publish/release-partial.ts';
import { storeContentHashes } from '../src/quality/content-hash.ts';
import { gatherEvidence } from '../src/quality/evidence.ts';
import { type Release, releaseOf } from '../src/replay/release.ts';
import type { ReplayedRun, ReplayScope } from '../src/replay/scope.ts';
import { conclude } from './conclude.ts';
import type { JobContext } from './context.ts';

interface Needs extends Pick<JobContext, 'settings' | 'clock'> {
  readonly db: Database;
  readonly shadow: Database;
}

/** Certifies and publishes a run as it stands in the shadow, as often as it was: a person's word counts again. */
export async function publishReplayed(
  { db, shadow, settings, clock }: Needs,
  { runId, region, status }: ReplayedRun,
  { parts, release: wanted }: Pick<ReplayScope, 'parts' | 'release'>,
): Promise<void> {
  const run = await createRuns(shadow).byId(runId);
  const delistAfter = settings.delist.after;
  if (!parts.includes('listing')) {
    // Nothing was listed anew: uncertified, or all products would seem to be gone. Of the outcome only the details are used.
    const certified = { verdict: 'partial', reasons: [], evidence: {} } as const;
    await publish(shadow, { runId, epoch: run.epoch, certified, delistAfter, clock });
    return;
  }

  const release: Release | null =
    wanted?.runId === runId ? { from: status, why: wanted.why } : await releaseOf(db, runId);
  const survey = await gatherEvidence(shadow, runId);
  const { verdict } = await conclude({ db: shadow, settings, clock }, run, survey, {
    // What was published stays published: whether a check would block it today is told, not decided.
    isPublishedAnyway: status === 'published',
    ...(release?.from === 'held' ? { releasedBecause: release.why } : {}),
  });
  if (release?.from === 'published' && verdict === 'partial') {
    await releasePartial(shadow, { runId, delistAfter, why: release.why });
  }
  await storeContentHashes(shadow, region);
}
