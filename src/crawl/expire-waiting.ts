import type { RegionCode } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import { expireRun } from './ledger/expire-run.ts';
import { lastReadAt } from './ledger/last-read.ts';
import type { Run } from './ledger/runs.ts';

/** What is read so long after a run began says little of the night it is dated with. */
const staleAfterMs = 12 * 3_600_000;

/**
 * A later night is due, and the region's run of an earlier one is not at work: it waits, for a key or a quota perhaps,
 * has failed too often, or was cut off. It ends with what it read, uncertified, so that nothing is said to be gone, and
 * makes way; having read nothing, or when it cannot be finished, it is expired. One that is at work goes on, however
 * long it takes, and so does one that was cut off less than twelve hours ago. A person who crawls may have mended what
 * it waits for: it then counts from the last page it read. A run on a clock that was set to an earlier night than ours
 * makes way only where it waits and has read nothing. Returns the run when it is left to finish.
 */
export async function expireWaiting(
  { db, clock, log, runs, ownership }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'ownership'>,
  { region, snapshotDate, origin }: { region: RegionCode; snapshotDate: string; origin: 'command' | 'schedule' },
): Promise<Run | null> {
  const now = clock.now();
  const isLongAgo = (then: Date): boolean => now.getTime() - then.getTime() >= staleAfterMs;
  const run = await runs.openOf(region);
  if (!run || run.snapshotDate >= snapshotDate || !isLongAgo(run.startedAt)) return null;
  const isOurs = await ownership.isOurs(run);
  if (!isOurs && !(run.pausedFor !== null && ownership.isPlayedEarlier(run))) return null;
  if (run.pausedFor === null || origin === 'command') {
    // A simulator shows the night of its own date, whenever it is asked.
    if (isOurs && run.upstream?.startsWith('simulator ')) return null;
    // It reads nothing more, and what it has read is to be published.
    if (run.phase === 'finishing') return null;
    const lastRead = await lastReadAt(db, run.runId);
    if (!isLongAgo(lastRead)) return null;
    const detail = `nothing was read since ${lastRead.toISOString()}`;
    if (run.pausedFor === null) await runs.pause(run.runId, { reason: 'idle', detail, since: now, until: now });
  }
  const reason = run.pausedFor ?? 'it was cut off';
  const why = `the night of ${snapshotDate} was due while the run waited: ${reason}`;
  // What a night on another clock has read is finished on that clock.
  const became = await expireRun(db, run, { why, now, finishes: isOurs });
  if (became) {
    const { runId, snapshotDate: night } = run;
    log.warn({ run: runId, region, night, reason, became }, 'a run that only waits makes way for the next night');
  }
  return became === 'finishing' ? run : null;
}
