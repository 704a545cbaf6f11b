import type { Transaction } from '../db/client.ts';
import type { RegionCode } from '../model/index.ts';
import { copyRows } from './write-figures.ts';

/** Products whose price on a night is another than on the night before; the nth entries of the lists are one product. */
export interface PriceSteps {
  readonly productKeys: number[];
  /** Minor units; -1 for what was not listed with a price. */
  readonly before: number[];
  readonly after: number[];
}

export function createPriceSteps(): PriceSteps {
  return { productKeys: [], before: [], after: [] };
}

export async function writePriceSteps(
  tx: Transaction,
  region: RegionCode,
  snapshotDate: string,
  { productKeys, before, after }: PriceSteps,
): Promise<void> {
  const columns = ['region', 'snapshot_date', 'product_keys', 'prices_before', 'prices_after'];
  const lists = [productKeys, before, after].map((list) => `{${list.join()}}`);
  await copyRows(tx, 'price_step', columns, [[region, snapshotDate, ...lists]]);
}

/**
 * Puts the steps of the last week and month together, up to the last night and from the last certified night that is so far back, or
 * the first there is. What a product cost first and last is found as the least and the greatest of night and price in one number.
 */
export async function renewPriceMoves(tx: Transaction, region: RegionCode, until: string): Promise<void> {
  await tx.query('delete from derived.price_move where region = $1', [region]);
  await tx.query(
    `insert into derived.price_move (region, since, until, product_keys, prices_before, prices_after)
     select $1, night.since, $2, array_agg(moved.product_key), array_agg(moved.price_before), array_agg(moved.price_after)
     from (
       select distinct coalesce(
         (select max(snapshot_date) from derived.price_step where region = $1 and snapshot_date <= ($2::date - back)::date),
         (select min(snapshot_date) from derived.price_step where region = $1)) as since
       from unnest(array[interval '7 days', interval '1 month']) as back
     ) as night
     cross join lateral (
       select product_key, (first_price & 4294967295)::int - 1 as price_before, (last_price & 4294967295)::int - 1 as price_after
       from (
         select product_key, min(night << 32 | price_before + 1) as first_price, max(night << 32 | price_after + 1) as last_price
         from (
           select (snapshot_date - date '2000-01-01')::bigint as night, unnest(product_keys) as product_key,
             unnest(prices_before)::bigint as price_before, unnest(prices_after)::bigint as price_after
           from derived.price_step
           where region = $1 and snapshot_date > night.since and snapshot_date <= $2
         ) as step
         group by product_key
       ) as stepped
     ) as moved
     where moved.price_before >= 0 and moved.price_after >= 0 and moved.price_before <> moved.price_after
     group by night.since`,
    [region, until],
  );
}
