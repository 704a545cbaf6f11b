import { RunRefused } from '../errors.ts';
import { releasePartial } from '../publish/release.ts';
import { storeContentHashes } from '../quality/audits/content-hash.ts';
import { certifyAndPublish } from '../quality/certify-and-publish.ts';
import { gatherEvidence } from '../quality/evidence/evidence.ts';
import type { CrawlContext } from './context.ts';

export interface Released {
  readonly region: string;
  readonly snapshotDate: string;
  /** Published now, having been held; or certified now, having been published as partial. */
  readonly from: 'held' | 'partial';
  /** Products that became absent or delisted by a partial run's release; null for a held one. */
  readonly gone: number | null;
}

/**
 * A person vouches for a run that a check holds back, or that was published without a certificate. Throws `RunRefused` when
 * there is nothing to release, or a later night stands on what is there now.
 */
export async function releaseRun(
  context: Pick<CrawlContext, 'db' | 'runs' | 'settings' | 'clock'>,
  runId: number,
  why: string,
): Promise<Released> {
  const { db, runs, settings } = context;
  const run = await runs.byId(runId);
  const { region, snapshotDate } = run;
  if (run.status === 'open') {
    throw new RunRefused(`Run ${runId} is still being crawled. Let it finish, then release it if need be.`);
  }
  if (run.status !== 'held') {
    const gone = await releasePartial(db, { runId, delistAfter: settings.delist.after, why });
    await storeContentHashes(db, region);
    return { region, snapshotDate, from: 'partial', gone };
  }
  if (!(await runs.isLast(run))) {
    throw new RunRefused(
      `A later night of ${region} is published; history is only ever added to. \`pricebook replay\` can bring run ${runId} in from the archive.`,
    );
  }
  await certifyAndPublish(context, run, await gatherEvidence(db, runId), { releasedBecause: why });
  await storeContentHashes(db, region);
  return { region, snapshotDate, from: 'held', gone: null };
}
