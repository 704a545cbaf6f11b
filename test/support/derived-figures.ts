import type { RegionCode } from '../../src/base/model/index.ts';
import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import type { CertifiedNight } from '../../src/followers/derive/derivation.ts';
import { certifiedNights } from '../../src/followers/derive/owed-nights.ts';

// Figures of a night, counted in SQL from the histories.

/**
 * Counts a certified night by SQL from the histories, and returns how many categories (the region being one) have other
 * daily figures than that; null when the night has not been derived yet.
 */
export async function countDifferingFigures(
  sql: Queryable,
  region: RegionCode,
  snapshotDate: string,
): Promise<number | null> {
  const found = await nightAndBefore(sql, region, snapshotDate);
  if (!found) return null;
  const { night, before } = found;
  const derived = await rowsOf(
    sql,
    'select from derived.night where region = $1 and snapshot_date = $2 and run_id = $3',
    [region, snapshotDate, night.runId],
  );
  if (derived.length === 0) return null;
  const [differing] = await rowsOf<{ categories: number }>(sql, compareFigures, [
    region,
    snapshotDate,
    night.runId,
    night.observedAt,
    before?.runId ?? null,
    before?.observedAt ?? null,
  ]);
  return differing!.categories;
}

/** SQL: whether a product is for sale, or was less than 60 nights before, with half a day for early runs. */
export const wasForSale = (key: string, at: string): string => `
  exists (
    select from catalog.availability_spell sold
    where sold.product_key = ${key} and sold.availability = 'available' and sold.valid_from <= ${at}
      and (sold.valid_to is null or sold.valid_to > ${at}::timestamptz - interval '59 days 12 hours'))`;

/**
 * SQL: products listed on a night with the last price at which they were for sale; `marts.product_night` has the last
 * price shown. `run` and `at` are the parameters of the run and of its instant.
 */
const offeredOn = (run: string, at: string): string => `
  select night.product_key,
    case when ${wasForSale('night.product_key', at)} then (offered.price_minor * 0.01)::numeric(12, 2) end as price,
    night.loyalty_price, night.availability, night.on_promotion
  from marts.product_night night
  left join catalog.price_spell offered
    on offered.product_key = night.product_key
    and offered.valid_from <= ${at} and (offered.valid_to is null or offered.valid_to > ${at})
  where night.run_id = ${run}`;

/** SQL: a night's products, in everything (0) and in each of their categories at an instant. */
const inCategories = (night: string, at: string): string => `
    select n.*, 0 as category_key from ${night} n
    union all
    select n.*, m.category_key from ${night} n join (
      select distinct pc.product_key, above.ancestor_key as category_key
      from catalog.product_category pc join catalog.category_ancestor above using (category_key)
      where pc.valid_from <= ${at} and (pc.valid_to is null or pc.valid_to > ${at})
    ) as m using (product_key)`;

/** $1 region, $2 date, $3 run, $4 its instant, $5 and $6 those of the certified night before. */
const compareFigures = `
  with now as materialized (
    ${offeredOn('$3', '$4')}
  ), before as materialized (
    select product_key, price from (${offeredOn('$5', '$6')}) as offered where price is not null
  ), now_in as materialized (${inCategories('now', '$4')}
  ), before_in as materialized (${inCategories('before', '$6')}
  ), counted as (
    select category_key,
      count(*) as listed,
      count(price) filter (where availability = 'available') as available,
      count(price) filter (where availability <> 'available') as carried,
      count(price) filter (where availability = 'available' and on_promotion) as on_promotion,
      count(price) filter (where availability = 'available' and loyalty_price is not null) as with_loyalty,
      coalesce(sum(price * 100) filter (where availability = 'available'), 0) as price_sum,
      percentile_cont(0.5) within group (order by price * 200)
        filter (where availability = 'available') as median_doubled,
      coalesce(sum((price - loyalty_price) / nullif(price, 0) * 100)
        filter (where availability = 'available'), 0) as discount
    from now_in group by category_key
  ), moved as (
    select category_key,
      count(*) filter (where was.product_key is not null and is_now.product_key is not null) as compared,
      count(*) filter (where was.product_key is null) as arrivals,
      count(*) filter (where is_now.product_key is null) as departures,
      count(*) filter (where is_now.price > was.price) as increases,
      count(*) filter (where is_now.price < was.price) as decreases
    from (select * from now_in where price is not null) as is_now
    full join before_in was using (category_key, product_key)
    group by category_key
  ), expected as (
    select category_key, coalesce(listed, 0) as listed,
      coalesce(available, 0) as available, coalesce(carried, 0) as carried,
      coalesce(on_promotion, 0) as on_promotion, coalesce(with_loyalty, 0) as with_loyalty,
      coalesce(price_sum, 0) as price_sum, median_doubled, coalesce(discount, 0) as discount,
      case when $5::int is not null then coalesce(compared, 0) end as compared,
      case when $5::int is not null then coalesce(arrivals, 0) end as arrivals,
      case when $5::int is not null then coalesce(departures, 0) end as departures,
      case when $5::int is not null then coalesce(increases, 0) end as increases,
      case when $5::int is not null then coalesce(decreases, 0) end as decreases
    from counted full join moved using (category_key)
    where coalesce(listed, 0) > 0 or coalesce(departures, 0) > 0 or category_key = 0
  )
  select count(*)::int as categories
  from expected
  full join (select * from derived.daily_figure where region = $1 and snapshot_date = $2) as kept using (category_key)
  where (expected.listed, expected.available, expected.carried, expected.on_promotion, expected.with_loyalty,
    expected.price_sum,
      expected.compared, expected.arrivals, expected.departures, expected.increases, expected.decreases)
    is distinct from (kept.products_listed, kept.products_available, kept.products_carried, kept.products_on_promotion,
      kept.products_with_loyalty_price, kept.price_sum_minor, kept.products_compared, kept.arrivals, kept.departures,
      kept.price_increases, kept.price_decreases)
    or expected.median_doubled is distinct from kept.median_price_doubled
    or abs(expected.discount - kept.loyalty_discount_pct_sum) > 1e-6`;

/** A certified night and the one before it; null where none is certified on that date. */
async function nightAndBefore(
  sql: Queryable,
  region: RegionCode,
  snapshotDate: string,
): Promise<{ readonly night: CertifiedNight; readonly before: CertifiedNight | null } | null> {
  const nights = await certifiedNights(sql, region);
  const place = nights.findIndex((night) => night.snapshotDate === snapshotDate);
  const night = nights[place];
  return night ? { night, before: nights[place - 1] ?? null } : null;
}
