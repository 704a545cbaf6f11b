import { expireRun } from '../ledger/expire-run.ts';
import type { RegionCode } from '../model/index.ts';
import type { CrawlContext } from './context.ts';

/** What is read so long after a run began says little of the night it is dated with. */
const staleAfterMs = 12 * 3_600_000;

/**
 * A later night is due, and the region's run of an earlier one still waits, for a key or a quota perhaps, or has failed too
 * often: it ends with what it read, uncertified, so that nothing is said to be gone, and makes way. Having read nothing, or
 * when it cannot be finished, it is expired. One that is at work goes on, however long it takes.
 */
export async function expireWaiting(
  { db, clock, log, runs, ownership }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'ownership'>,
  region: RegionCode,
  snapshotDate: string,
): Promise<void> {
  const now = clock.now();
  const run = await runs.openOf(region);
  if (!run || !(await ownership.isOurs(run)) || run.pausedFor === null || run.snapshotDate >= snapshotDate) return;
  if (now.getTime() - run.startedAt.getTime() < staleAfterMs) return;
  const why = `the night of ${snapshotDate} was due while the run waited: ${run.pausedFor}`;
  const became = await expireRun(db, run, { why, now });
  if (became) {
    const { runId, snapshotDate: night, pausedFor: reason } = run;
    log.warn({ run: runId, region, night, reason, became }, 'a run that only waits makes way for the next night');
  }
}
