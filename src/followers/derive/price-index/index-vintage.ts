import type { RegionCode } from '../../../base/model/index.ts';
import type { Transaction } from '../../../db/client.ts';
import { geksValues } from './index-rows.ts';

/**
 * Keeps the GEKS-Jevons values of a region and its departments that this derivation has published or revised, so that
 * an earlier publication can be repeated. `until`: the last derived night.
 */
export async function keepVintage(tx: Transaction, region: RegionCode, until: string, at: Date): Promise<void> {
  await tx.query(
    `insert into derived.price_index_vintage
       (region, category_key, period, period_start, published_at, base_start, values)
     select i.region, i.category_key, i.period, i.period_start, $3, i.base_start, i.values${geksValues}
     from derived.price_index i
     left join lateral (
       select v.base_start, v.values
       from derived.price_index_vintage v
       where (v.region, v.category_key, v.period, v.period_start) =
         (i.region, i.category_key, i.period, i.period_start)
       order by v.published_at desc
       limit 1
     ) as last on true
     where i.region = $1 and i.period = any('{day,week,month}') and i.derived_on = $2
       and i.category_key = any(array(
         select 0 union all select c.category_key from catalog.category c where c.region = $1 and c.depth = 0))
       and (last.base_start is distinct from i.base_start or exists (
         -- Smaller differences are rounding errors.
         select from unnest(last.values, i.values${geksValues}) as value (before, now)
         where (before is null) <> (now is null) or abs(before - now) > 1e-9))
     on conflict (region, category_key, period, period_start, published_at) do update set
       base_start = excluded.base_start, values = excluded.values`,
    [region, until, at],
  );
}
