import type { RegionCode } from '../base/model/index.ts';
import type { Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { CrawlContext } from './context.ts';
import { expireRun } from './ledger/end-run.ts';
import type { Run } from './ledger/runs.ts';

/** A page that is read this long after the run began does not describe the run's night. */
const staleAfterMs = 12 * 3_600_000;

/**
 * Ends a region's run of an earlier night when a later night is due and the run is idle: paused (for a key or a quota,
 * for example), failed too often, or interrupted for at least twelve hours. The run is finished with the pages it has
 * read, uncertified, so that no product is reported as gone. If it has read nothing, or cannot be finished, it expires.
 * A run that is making progress continues, however long it takes. For a command, idle time counts from the last page
 * read, because the user may have removed the cause of the pause. A run on a clock set to an earlier night expires only
 * if it is paused and has read nothing. Returns the run if it is left to finish.
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
    // A simulator shows the night of its own date, at any time.
    if (isOurs && run.upstream?.startsWith('simulator ')) return null;
    // It reads nothing more, and what it has read is to be published.
    if (run.phase === 'finishing') return null;
    const lastRead = await lastReadAt(db, run.runId);
    if (!isLongAgo(lastRead)) return null;
    const detail = `nothing has been read since ${lastRead.toISOString()}`;
    if (run.pausedFor === null) await runs.pause(run.runId, { reason: 'idle', detail, since: now, until: now });
  }
  const reason = run.pausedFor ?? 'it was interrupted';
  const why = `the night of ${snapshotDate} was due while the run was idle: ${reason}`;
  // A run of another clock must be finished on that clock.
  const became = await expireRun(db, run, { why, now, finishes: isOurs });
  if (became) {
    const { runId, snapshotDate: night } = run;
    log.warn({ run: runId, region, night, reason, became }, 'an idle run was ended because the next night is due');
  }
  return became === 'finishing' ? run : null;
}

/** When a run last read a page or product detail; its start if it has read none. */
async function lastReadAt(sql: Queryable, runId: number): Promise<Date> {
  const [told] = await rowsOf<{ at: Date }>(
    sql,
    `select greatest(r.started_at,
       (select max(fetched_at) from ops.category_page where run_id = r.run_id),
       (select max(fetched_at) from ops.detail_fetch where run_id = r.run_id)) as at
     from ops.run r where r.run_id = $1`,
    [runId],
  );
  return told!.at;
}
