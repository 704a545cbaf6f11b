import type { Database } from '../db/client.ts';
import { maxPageAttempts } from './pages.ts';
import { isUnleased } from './workers.ts';

/**
 * Queues again the work that no running process holds, when a command continues a run that was cut off. The batches get new numbers:
 * the queue may still hold the old jobs for a dead process (ten seconds, until their locks are found to be stale), or may have lost
 * them.
 */
export async function requeueCutOff(db: Database, runId: number): Promise<void> {
  await db.query(reviveFailed, [runId, 2 * maxPageAttempts]);
  await db.query(regroup('category_page', `nextval('ops.page_batch')`), [runId]);
  await db.query(
    regroup(
      'detail_fetch',
      '(select max(batch_no) from ops.detail_fetch where run_id = $1) + row_number() over (order by batch_no)',
    ),
    [runId],
  );
}

/**
 * Pages given up while they are still being read get their attempts back, in their latest reading: what was wrong with them may
 * be fixed by now. Not without end, for the command may be repeated by a script: a page is taken so often in all.
 */
const reviveFailed = `
  update ops.category_page p set status = 'planned', attempts = 0
  from ops.run r
  where r.run_id = $1 and r.status = 'open' and r.phase = 'listing'
    and p.run_id = $1 and p.status = 'failed' and p.lease < $2
    and not exists (
      select from ops.category_page later
      where later.run_id = $1 and later.category_no = p.category_no and later.page_no = p.page_no and later.reading > p.reading)`;

const regroup = (table: string, newNo: string) => `
  with cut_off as (
    select batch_no from ops.${table} u
    where run_id = $1 and status = 'planned' and queued_at is not null and ${isUnleased}
    group by batch_no order by batch_no
  ), regrouped as materialized (
    select batch_no, ${newNo} as new_no from cut_off
  )
  update ops.${table} u
  set batch_no = new_no, queued_at = null
  from regrouped
  where u.run_id = $1 and u.batch_no = regrouped.batch_no and u.status = 'planned' and ${isUnleased}`;
