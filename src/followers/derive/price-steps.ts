import { nightsIn, type RegionCode } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { forEachProduct, none, type Panel } from './price-index/panel.ts';
import { unknown } from './region-night.ts';

/** Writes products whose price differs from the previous certified night, by basis; none without such a night. */
export async function writePriceSteps(
  tx: Transaction,
  region: RegionCode,
  date: string,
  { panel, before }: { readonly panel: Panel; readonly before: Panel | null },
): Promise<void> {
  for (const basis of ['shelf', 'member'] as const) {
    const [keys, pricesBefore, pricesAfter]: number[][] = [[], [], []];
    forEachProduct(before ?? panel, panel, (b, n) => {
      const was = b === none ? unknown : (before ?? panel)[basis][b]!;
      const is = n === none ? unknown : panel[basis][n]!;
      if (was === is) return;
      keys!.push(n === none ? before!.keys[b]! : panel.keys[n]!);
      pricesBefore!.push(was);
      pricesAfter!.push(is);
    });
    await tx.query(insertSteps, [region, date, keys, pricesBefore, pricesAfter, basis]);
  }
}

/** Products without a price step in the 30 days before come first. */
const insertSteps = `
  insert into derived.price_step
    (region, snapshot_date, price_basis, product_keys, prices_before, prices_after, steady)
  select $1, $2, $6,
    coalesce(array_agg(product_key order by is_unsteady, place), '{}'),
    coalesce(array_agg(price_before order by is_unsteady, place), '{}'),
    coalesce(array_agg(price_after order by is_unsteady, place), '{}'),
    count(*) filter (where not is_unsteady)
  from (
    select step.*, recent.product_key is not null as is_unsteady
    from unnest($3::int[], $4::int[], $5::int[]) with ordinality as step (product_key, price_before, price_after, place)
    left join (
      select distinct unnest(product_keys) as product_key
      from derived.price_step
      where region = $1 and price_basis = $6 and snapshot_date < $2::date and snapshot_date > $2::date - 31
    ) as recent using (product_key)
  ) as step`;

/** Aggregates price steps of the last week and month. */
export async function renewPriceMoves(tx: Transaction, region: RegionCode, until: string): Promise<void> {
  await tx.query('delete from derived.price_move where region = $1', [region]);
  await tx.query(insertMoves, [region, until]);
}

/** Start of a week or month: the last certified night at least that long ago, or the first night. */
const insertMoves = `
  insert into derived.price_move (region, since, until, price_basis, product_keys, prices_before, prices_after)
  select $1, since, $2, price_basis, array_agg(product_key), array_agg(price_before), array_agg(price_after)
  from (
    select distinct coalesce(
      (select max(snapshot_date) from derived.price_step where region = $1
        and snapshot_date <= $2::date - back),
      (select min(snapshot_date) from derived.price_step where region = $1)) as since
    from unnest(array[${nightsIn.week}, ${nightsIn.month}]) as back
  ) as beginning
  cross join lateral (
    select price_basis, product_key,
      (array_agg(price_before order by snapshot_date))[1] as price_before,
      (array_agg(price_after order by snapshot_date desc))[1] as price_after
    from derived.price_step night
    cross join unnest(product_keys, prices_before, prices_after) as step (product_key, price_before, price_after)
    where night.region = $1 and night.snapshot_date > since and night.snapshot_date <= $2
    group by price_basis, product_key
  ) as move
  where price_before >= 0 and price_after >= 0 and price_before <> price_after
  group by since, price_basis`;
