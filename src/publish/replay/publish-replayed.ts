import { move } from '../../crawl/ledger/run-life.ts';
import { createRuns } from '../../crawl/ledger/runs.ts';
import type { Database } from '../../db/client.ts';
import { publish } from '../publish.ts';
import { type CertifyNeeds, certifyAndPublish } from '../quality/certify-and-publish.ts';
import { storeContentHashes } from '../quality/content-hash.ts';
import { gatherEvidence } from '../quality/evidence/evidence.ts';
import { releasePartial } from '../release-partial.ts';
import { type Release, releaseOf } from './release.ts';
import type { ReplayedRun, ReplayScope } from './scope.ts';

interface Needs extends Omit<CertifyNeeds, 'measure'> {
  readonly shadow: Database;
}

/** Certifies and publishes a run in the shadow, repeating a user's earlier release. */
export async function publishReplayed(
  { db, shadow, settings, clock }: Needs,
  { runId, region, status }: ReplayedRun,
  { parts, release: wanted }: Pick<ReplayScope, 'parts' | 'release'>,
): Promise<void> {
  const run = await createRuns(shadow).byId(runId);
  const { delistAfter } = settings;
  if (!parts.includes('listing')) {
    if (status === 'held') return void (await move(shadow, 'hold', { runId }));
    // The pages were not replayed: publish uncertified, so that no product becomes absent. Only the details of the
    // result are used.
    const certified = { verdict: 'partial', reasons: [], evidence: {} } as const;
    await publish(shadow, { runId, epoch: run.epoch, certified, delistAfter, clock });
    return;
  }

  const release: Release | null =
    wanted?.runId === runId ? { from: status, why: wanted.why } : await releaseOf(db, runId);
  const coverage = await gatherEvidence(shadow, runId);
  const { verdict } = await certifyAndPublish({ db: shadow, settings, clock, measure: null }, run, coverage, {
    // A published run stays published; findings that would block it today are only reported.
    isPublishedAnyway: status === 'published',
    ...(release?.from === 'held' ? { releasedBecause: release.why } : {}),
  });
  if (release?.from === 'published' && verdict === 'partial') {
    await releasePartial(shadow, { runId, delistAfter, why: release.why, now: clock.now() });
  }
  await storeContentHashes(shadow, region);
}
