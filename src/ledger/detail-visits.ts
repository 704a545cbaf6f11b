import type { Database, Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';

/**
 * Adds what the details of published runs found to what is known of their products. Each run counts once, in the order in which
 * they observed; what a crash leaves out, the next plan counts.
 */
export async function countVisits(db: Database, region: RegionCode): Promise<void> {
  const due = await rowsOf<{ runId: number }>(
    db,
    `select r.run_id as "runId" from ops.run r join ops.run_forecast f using (run_id)
     where r.region = $1 and r.status = 'published' and not f.are_visits_counted
     order by r.observed_at`,
    [region],
  );
  for (const { runId } of due) await db.tx((tx) => countRun(tx, runId));
}

async function countRun(tx: Transaction, runId: number): Promise<void> {
  const [mine] = await rowsOf(
    tx,
    `update ops.run_forecast set are_visits_counted = true where run_id = $1 and not are_visits_counted returning run_id`,
    [runId],
  );
  // Somebody else was faster.
  if (!mine) return;
  await tx.query(
    `create temporary table visited on commit drop as
     select p.product_key, d.reason, r.observed_at, v.product_key is null as is_first,
       extract(epoch from r.observed_at - v.visited_at) / 86400 as days,
       exists (
         select from catalog.product_detail x where x.product_key = p.product_key and x.valid_from = r.observed_at) as has_changed
     from ops.run r
     join ops.detail_fetch d using (run_id)
     join catalog.product p on p.region = r.region and p.product_id = d.product_id
     left join ops.detail_visit v on v.product_key = p.product_key
     where r.run_id = ${runId} and d.status = 'done' and (v.visited_at is null or v.visited_at < r.observed_at)`,
  );
  await tx.query(
    `insert into ops.detail_yield (run_id, reason, visits, changes)
     select ${runId}, reason, count(*), count(*) filter (where has_changed and not is_first) from visited group by reason`,
  );
  await tx.query(
    `insert into ops.detail_visit as v (product_key, visited_at, visits, changes, quiet_days, changed_days)
     select product_key, observed_at, 1, 0, 0, 0 from visited where is_first
     order by product_key`,
  );
  await tx.query(
    `update ops.detail_visit v
     set visited_at = w.observed_at, visits = least(v.visits + 1, 32000), changes = least(v.changes + w.has_changed::int, 32000),
       quiet_days = v.quiet_days + case when w.has_changed then 0 else w.days end,
       changed_days = v.changed_days + case when w.has_changed then w.days else 0 end
     from visited w where not w.is_first and v.product_key = w.product_key`,
  );
  await tx.query('drop table visited');
}
