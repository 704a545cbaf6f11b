import { RunRefused } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Database, Transaction } from '../../db/client.ts';
import type { CrawlContext } from '../context.ts';
import { nightDue } from './night-time.ts';
import type { Run, Runs } from './runs.ts';
import { move } from './transitions.ts';

/** Error stored on pages and details that were still unread. */
export const unreadAsAbandoned = 'the run was abandoned';

/**
 * Abandons an open or held run at a user's request. Only its requests and received payloads are kept; later writes by
 * its workers have no effect. Throws `RunRefused` if the run is over.
 */
export async function abandonRun(
  { db, runs }: { readonly db: Database; readonly runs: Pick<Runs, 'byId'> },
  runId: number,
  now: Date,
): Promise<Run> {
  const run = await runs.byId(runId);
  await db.tx(async (tx) => {
    if (!(await move(tx, 'abandon', { runId }, { finishedAt: now }))) {
      // The run may have ended since it was looked up.
      const { region, snapshotDate, status } = await runs.byId(runId, tx);
      throw new RunRefused(
        `Run ${runId} of ${region} ${snapshotDate} is already over (${status}); there is nothing to abandon.`,
      );
    }
    await failUnread(tx, runId, unreadAsAbandoned);
  });
  return run;
}

/** A page that is read this long after another one does not describe the same night. */
const idleAfterMs = 12 * 3_600_000;

/**
 * Ends a region's open run when a later night is due and nothing was read for it for hours: it finishes with the pages
 * it has read and is not repaired, so that its certificate is partial. If it has read none, or has failed too often, it
 * expires. A run that makes progress continues, however long it takes. Returns the run if it is left to finish.
 */
export async function endIdleRun(
  { db, clock, log, runs, settings }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'settings'>,
  region: RegionCode,
): Promise<Run | null> {
  const now = clock.now();
  const run = await runs.openOf(region);
  const due = nightDue(region, now, settings.nightAt[region]);
  if (!run || due === null || run.snapshotDate >= due) return null;
  const { runId, snapshotDate: night } = run;
  const lastReadAt = await runs.lastReadAt(run);
  if (now.getTime() - lastReadAt.getTime() < idleAfterMs) return null;
  const became = await db.tx(async (tx) => {
    const isExpired = await move(tx, 'expire', run, { finishedAt: now });
    if (!isExpired && !(await move(tx, 'cutShort', run))) return null;
    await failUnread(
      tx,
      runId,
      `the night of ${due} was due, and nothing had been read since ${lastReadAt.toISOString()}`,
    );
    return isExpired ? 'expired' : 'finishing';
  });
  if (became) log.warn({ run: runId, region, night, became }, 'an idle run was ended because the next night is due');
  return became === 'finishing' ? run : null;
}

/** Fails the units of a run that were not fetched. */
export async function failUnread(tx: Transaction, runId: number, why: string): Promise<void> {
  for (const table of ['category_page', 'detail_fetch', 'store_circle', 'keyword_search']) {
    await tx.query(
      `update ops.${table} set status = 'failed', worker_id = null, error = $2
       where run_id = $1 and status = 'planned'`,
      [runId, why],
    );
  }
}
