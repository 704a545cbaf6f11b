import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

interface ChoiceNeeds {
  readonly region: RegionCode;
  /** Instant at which ages are computed. */
  readonly at: Date;
  /** Run whose pages are all read; null: estimate a future night from the current catalogue. */
  readonly runId: number | null;
  /** Maximum number of details to request. */
  readonly limit: number;
  readonly maxAgeDays: number;
}

/** Reasons for reading a product's own page, in order of priority. */
export const choiceReasons = ['requested', 'new', 'changed', 'refresh'] as const;

/** Statement and values. The statement begins with `with`; its CTEs are those of `choiceQuery`. */
interface ChoiceQuery {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Builds the query that chooses details. `candidate`: one row per product that is listed or was requested, with
 * `product_id`, `reason` and `age_days` (null: never read). `counted`: the number `wanted`. `chosen`: the first of them
 * by `place`, from 1, ordered by reason and then longest unread first. A night wants all refreshes older than the
 * maximum age, and enough of the longest unread to keep all others below it.
 */
export async function choiceQuery(sql: Queryable, needs: ChoiceNeeds): Promise<ChoiceQuery> {
  const { region, at, runId, limit, maxAgeDays } = needs;
  const before = await countChosen(sql, runId);
  return {
    sql: `with listed as (${runId === null ? listedNow : listedByRun}), ${choice}`,
    // After a repair only the newly found products are added: refreshes were chosen before.
    values: [region, runId, at, Math.max(0, limit - before), before > 0 ? null : maxAgeDays],
  };
}

/** Number of details already chosen for the run, before a repair found more products. */
async function countChosen(sql: Queryable, runId: number | null): Promise<number> {
  const [row] = await rowsOf<{ chosen: number }>(
    sql,
    `select count(*)::int as chosen from ops.detail_fetch where run_id = $1 and reason <> 'missing'`,
    [runId],
  );
  return row!.chosen;
}

const listedNow = `
  select n.product_key, false as is_changed
  from catalog.product_current n join catalog.product p using (product_key)
  where p.region = $1 and n.availability in ('available', 'unavailable') and $2::int is null`;

/** SQL: products seen by the run; those staged have a listing that differs from the catalogue. */
const listedByRun = `
  select product_key, bool_or(is_changed) as is_changed
  from (
    select seen.product_key, false as is_changed
    from ops.category_page page cross join lateral unnest(page.seen_keys) as seen (product_key)
    where page.run_id = $2
    union all
    select product_key, true from stage.product where run_id = $2 and product_key is not null
  ) as shown
  group by product_key`;

/** SQL: order in which candidates are read. */
export const detailOrder = `array_position('{${choiceReasons.join(', ')}}'::text[], reason), age_days desc nulls first, 
  product_id collate "C"`;

const choice = `
  requested as (
    select v.product_key
    from ops.detail_visit v join catalog.product p using (product_key)
    where p.region = $1 and v.requested_at > coalesce(v.visited_at, '-infinity')
  ), read_or_not as (
    select p.product_id, extract(epoch from $3::timestamptz - v.visited_at)::float8 / 86400 as age_days,
      case
        when exists (select from requested r where r.product_key = p.product_key) then 'requested'
        when v.visited_at is null then 'new'
        when coalesce(l.is_changed, false) or p.valid_from > v.visited_at then 'changed'
        else 'refresh'
      end as reason
    from (select product_key from listed union select product_key from requested) as known
    join catalog.product p using (product_key)
    left join listed l using (product_key)
    left join ops.detail_visit v using (product_key)
    union all
    select distinct product_id, null::float8, 'new' from stage.product where run_id = $2 and product_key is null
  ), candidate as (
    select * from read_or_not c
    where not exists (select from ops.detail_fetch d where d.run_id = $2 and d.product_id = c.product_id)
  ), counted as (
    select count(*) filter (where reason <> 'refresh') + case when $5::int is null then 0 else greatest(
      count(*) filter (where reason = 'refresh' and age_days >= $5::int),
      least(
        ceil(count(age_days) / $5::float8),
        count(*) filter (where reason = 'refresh' and age_days > 0.5)
      )
    ) end as wanted
    from candidate
  ), chosen as (
    select first.*, row_number() over (order by ${detailOrder}) as place
    from (select * from candidate order by ${detailOrder} limit (select least(wanted, $4::int) from counted)) as first
  )`;
