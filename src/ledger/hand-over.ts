import type { Database } from '../db/client.ts';
import { isUnleased } from './workers.ts';

/**
 * Hands out anew what nobody living has in hand, for a command that goes on where another was cut off: under new batch numbers,
 * because the queue may still hold the old ones for the dead (ten seconds, until their locks are found to be stale), or may
 * have lost them.
 */
export async function handOverAgain(db: Database, runId: number): Promise<void> {
  await db.query(regroup('category_page', `nextval('ops.page_batch')`), [runId]);
  await db.query(
    regroup(
      'detail_fetch',
      '(select max(batch_no) from ops.detail_fetch where run_id = $1) + row_number() over (order by batch_no)',
    ),
    [runId],
  );
}

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
