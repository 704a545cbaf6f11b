import type { RegionCode } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { nightAndBefore } from '../derive/certified-nights.ts';
import { derivationRules } from '../derive/index.ts';

/**
 * Holds the price steps of a certified night against the night itself and the certified one before it, by SQL from the
 * histories. Returns how many products have another step than that, or one too many or too few; null when the night has
 * not been derived yet, or by rules that have changed since: an earlier version kept no steps.
 */
export async function countDifferingSteps(
  sql: Askable,
  region: RegionCode,
  snapshotDate: string,
): Promise<number | null> {
  const found = await nightAndBefore(sql, region, snapshotDate);
  if (!found) return null;
  const { night, before } = found;
  const [differing] = await rowsOf<{ products: number }>(sql, compareSteps, [
    region,
    snapshotDate,
    night.runId,
    before?.runId ?? null,
    derivationRules,
  ]);
  return differing?.products ?? null;
}

/** $1 region, $2 date, $3 run, $4 that of the certified night before, $5 the rules; a first night has no steps. */
const compareSteps = `
  with now as materialized (
    select product_key, (price * 100)::int as minor from marts.product_night where run_id = $3 and price is not null
  ), before as materialized (
    select product_key, (price * 100)::int as minor from marts.product_night where run_id = $4 and price is not null
  ), expected as (
    select product_key, coalesce(before.minor, -1) as price_before, coalesce(now.minor, -1) as price_after
    from before full join now using (product_key)
    where $4::int is not null and before.minor is distinct from now.minor
  ), moved_before as (
    select distinct unnest(product_keys) as product_key
    from derived.price_step
    where region = $1 and snapshot_date < $2::date and snapshot_date > $2::date - 31
  ), kept as (
    select step.product_key, step.price_before, step.price_after, step.place <= night.steady as is_steady
    from derived.price_step night
    cross join unnest(night.product_keys, night.prices_before, night.prices_after) with ordinality
      as step (product_key, price_before, price_after, place)
    where night.region = $1 and night.snapshot_date = $2
  )
  select (
    select count(*) from expected full join kept using (product_key)
    where (expected.price_before, expected.price_after) is distinct from (kept.price_before, kept.price_after)
      or kept.is_steady = (kept.product_key in (select product_key from moved_before)))::int as products
  where exists (select from derived.night where region = $1 and snapshot_date = $2 and run_id = $3 and rules = $5)`;
