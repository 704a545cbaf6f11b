import { move } from '../../crawl/ledger/run-life.ts';
import { createRuns } from '../../crawl/ledger/runs.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { publish } from '../publish.ts';
import { type CertifyNeeds, certifyAndPublish } from '../quality/certify-and-publish.ts';
import { gatherEvidence } from '../quality/evidence/evidence.ts';
import { releasePartial } from '../release-partial.ts';
import type { ReplayedRun, ReplayScope } from './scope.ts';

/** A user's release of a held or partial run. */
interface Release {
  readonly from: 'held' | 'published';
  readonly why: string;
}

interface Needs extends Omit<CertifyNeeds, 'measure'> {
  readonly shadow: Database;
}

/** Certifies and publishes a run in the shadow, repeating a user's earlier release. */
export async function publishReplayed(
  { db, shadow, settings, clock }: Needs,
  { runId, status }: ReplayedRun,
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
}

/** The release of a run; null if there was none. */
async function releaseOf(sql: Queryable, runId: number): Promise<Release | null> {
  const [release] = await rowsOf<Release>(
    sql,
    `select released_from as "from", released_because as why from ops.certificate
     where run_id = $1 and released_because is not null`,
    [runId],
  );
  return release ?? null;
}
