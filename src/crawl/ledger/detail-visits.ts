import type { RegionCode } from '../../base/model/index.ts';
import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';

/** Requests that the next night reads the own pages of known products first. Returns the number of known ids. */
export function requestDetails(
  sql: Queryable,
  region: RegionCode,
  productIds: readonly string[],
  now: Date,
): Promise<number> {
  return countOf(
    sql,
    `insert into ops.detail_visit (product_key, requested_at)
     select product_key, $3 from catalog.product
     where region = $1 and product_id = any($2) and replaced_at is null
     order by product_key
     on conflict (product_key) do update set requested_at = excluded.requested_at`,
    [region, productIds, now],
  );
}

/**
 * Records which products the details of published runs have read. Each run is counted once, in order of `observed_at`;
 * a run that a crash skipped is counted by the next call.
 */
export async function countVisits(db: Database, region: RegionCode): Promise<void> {
  const due = await rowsOf<{ runId: number }>(
    db,
    `select r.run_id as "runId" from ops.published_run r left join ops.run_details counted using (run_id)
     where r.region = $1 and counted.run_id is null
     order by r.observed_at`,
    [region],
  );
  for (const { runId } of due) await db.tx((tx) => countRun(tx, runId));
}

async function countRun(tx: Transaction, runId: number): Promise<void> {
  const counted = await countOf(tx, countRead, [runId]);
  // Another process has counted this run.
  if (counted === 0) return;
  await tx.query(noteRead, [runId]);
}

const read = `
  select p.product_key, r.observed_at, d.reason = 'missing' as is_asked_after,
    exists (select from ops.detail_visit v where v.product_key = p.product_key and v.visited_at < r.observed_at)
    and exists (
      select from catalog.product_detail x
      where x.product_key = p.product_key and x.valid_from = r.observed_at
    ) as has_changed
  from ops.run r
  join ops.detail_fetch d using (run_id)
  join catalog.product p on p.region = r.region and p.product_id = d.product_id and p.replaced_at is null
  where r.run_id = $1 and d.status = 'done'`;

const countRead = `
  insert into ops.run_details (run_id, details_read, details_changed)
  select $1, count(*), count(*) filter (where has_changed) from (${read}) as read where not is_asked_after
  on conflict do nothing`;

const noteRead = `
  insert into ops.detail_visit as v (product_key, visited_at)
  select product_key, observed_at from (${read}) as read order by product_key
  on conflict (product_key) do update set visited_at = greatest(v.visited_at, excluded.visited_at)`;
