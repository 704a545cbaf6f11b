import { expect } from 'vitest';
import type { Queryable } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';

/**
 * Nights worked out from the histories and the promotions' dates, a row at a time: what `marts.as_of` (every night) and
 * `marts.fct_price_daily` (certified nights) must say, however they are kept and read.
 */
export async function expectNightsFromHistory(sql: Queryable): Promise<void> {
  const nights = await rowsOf<{ region: string; date: string; last: number; certified: number | null }>(
    sql,
    `select region, snapshot_date as date, max(run_id) as last,
       max(run_id) filter (where verdict in ('complete', 'complete_within_tolerance')) as certified
     from ops.run where status = 'published' group by region, snapshot_date order by 1, 2`,
  );
  expect(nights.length).toBeGreaterThan(0);
  for (const { region, date, last, certified } of nights) {
    const asOf = await rowsOf(sql, `select ${night} from marts.as_of($1, $2) order by product_id`, [region, date]);
    expect(asOf, `as_of ${region} ${date}`).toEqual(await rowsOf(sql, reference, [last]));
    const daily = await rowsOf(
      sql,
      `select ${night} from marts.fct_price_daily where region = $1 and snapshot_date = $2 order by product_id`,
      [region, date],
    );
    expect(daily, `fct_price_daily ${region} ${date}`).toEqual(
      certified === null ? [] : await rowsOf(sql, reference, [certified]),
    );
  }
}

/** All columns but the key of the night, which the histories do not say. */
const night = `row(region, snapshot_date, product_id, product_key, title, price, currency, unit_price, unit_of_measure,
  loyalty_price, availability, on_promotion, brand)::text as row`;

const holds = (row: string) =>
  `${row}.valid_from <= r.observed_at and (${row}.valid_to is null or ${row}.valid_to > r.observed_at)`;

const reference = `
  select row(r.region, r.snapshot_date, p.product_id, p.product_key, coalesce(former.title, p.title),
    (last.price_minor * 0.01)::numeric(12, 2), region.currency, last.unit_price, last.unit_of_measure,
    (offer.loyalty_price_minor * 0.01)::numeric(12, 2), availability.availability::text,
    offer.promotions > 0, case when former.product_key is null then p.brand else former.brand end)::text as row
  from ops.run r
  join catalog.region region on region.region = r.region
  join catalog.product p on p.region = r.region
  join catalog.availability_spell availability on availability.product_key = p.product_key and ${holds('availability')}
    and availability.availability in ('available', 'unavailable')
  left join catalog.price_spell price on price.product_key = p.product_key and ${holds('price')}
  left join catalog.shown_price shown on shown.product_key = p.product_key and ${holds('shown')}
  cross join lateral (
    select shown.price_minor, shown.unit_price, shown.unit_of_measure where shown.product_key is not null
    union all
    select price.price_minor, price.unit_price, price.unit_of_measure where shown.product_key is null
  ) as last
  left join catalog.product_history former on former.product_key = p.product_key and ${holds('former')}
  cross join lateral (
    select count(*) as promotions,
      min(o.loyalty_price_minor) filter (where o.kind = 'loyalty_price') as loyalty_price_minor
    from catalog.product_promotion carried
    join catalog.promotion o on o.promotion_key = carried.promotion_key
    where carried.product_key = p.product_key and ${holds('carried')}
      and (o.starts_at is null or o.starts_at <= r.observed_at) and (o.ends_at is null or o.ends_at > r.observed_at)
  ) as offer
  where r.run_id = $1
  order by p.product_id`;
