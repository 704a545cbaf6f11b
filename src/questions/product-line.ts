import { nightsIn, type RegionCode } from '../base/model/index.ts';
import { isCertified, lastCertified } from './certified.ts';
import { fields } from './question.ts';
import { type Sql, sql } from './sql.ts';

/** Number of nights in the small chart of a product in a list. */
export const nightsOfLine = 90;

/** Everything that a list shows about a product. */
export interface ProductLine {
  readonly region: RegionCode;
  readonly product_id: string;
  readonly product_key: number;
  readonly title: string;
  readonly brand: string | null;
  readonly department: string | null;
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly currency: string;
  readonly availability: string;
  readonly on_promotion: boolean;
  /** Prices of the last nights as JSON: `[[valid_from, valid_to, drawn, least for anyone], …]`; null: not listed. */
  readonly history: string | null;
  /** Nights of its offers as JSON: `[[from, to], …]`; null: no offer. */
  readonly offers: string | null;
  /** Change of the shelf price in 30 nights, percent; null: no price 30 nights ago. */
  readonly change_30_pct: string | null;
  /** Change of the content of a pack that changed in 30 nights, and of the price of a unit; null: it did not. */
  readonly pack_change_pct?: string | null;
  readonly unit_change_30_pct?: string | null;
  /** Lowest price for anyone in the last year, and the highest shelf price. */
  readonly lowest_price: string | null;
  readonly highest_price: string | null;
  /** Verdict on the running offer as in fct_promotion_check; null: no offer, or nothing to check. */
  readonly offer_verdict: string | null;
  readonly offer_stated_percent: string | null;
  readonly offer_real_pct: string | null;
}

export const lineColumns = fields('title', 'brand', 'price', 'loyalty_price', 'unit_price', 'change_30_pct');

/** What the small chart draws. */
const drawnPrices = {
  shelf: sql`s.price`,
  member: sql`least(s.price, s.loyalty_price)`,
  unit: sql`s.unit_price`,
} as const;

/**
 * Adds to rows what a list shows about their products. The rows have a `product_key` and columns of their own, in their
 * order; one statement reads the histories of all of them.
 */
export const withLine = (rows: Sql, region: RegionCode, drawn: keyof typeof drawnPrices = 'shelf'): Sql => sql`
      with shown as materialized (
        select found, found.product_key, row_number() over () as place
        from (${rows}
        ) as found
      ), night as materialized (select ${lastCertified(region)} as last)
      select
        now.*, past.history, carried.offers, past.lowest_price, past.highest_price,
        100 * (now.price - past.price_30) / nullif(past.price_30, 0) as change_30_pct,
        100 * (pack.new_size - pack.old_size) / pack.old_size as pack_change_pct,
        100 * (now.price * pack.old_size / nullif(past.price_30 * pack.new_size, 0) - 1) as unit_change_30_pct,
        offer.verdict_label as offer_verdict, offer.stated_percent as offer_stated_percent,
        offer.real_pct as offer_real_pct, (shown.found).*
      from shown
      cross join night
      cross join lateral (
        select
          n.region, n.product_id, n.title, n.brand, n.price, n.loyalty_price, n.unit_price, n.unit_of_measure,
          n.currency, n.availability, n.on_promotion, n.gtin,
          (select c.name
           from marts.product_category_now m
           join marts.dim_category c on c.category_key = m.category_key
           where m.product_key = n.product_key and m.depth = 0
           order by c.category_key limit 1) as department
        from marts.product_now n
        where n.product_key = shown.product_key
        offset 0
      ) as now
      cross join lateral (
        select
          (json_agg(
            json_build_array(s.valid_from, s.valid_to, ${drawnPrices[drawn]}, least(s.price, s.loyalty_price))
              order by s.valid_from)
            filter (where s.valid_to is null or s.valid_to > night.last - ${nightsOfLine}::int))::text as history,
          min(s.price) filter (
            where s.valid_from <= night.last - ${nightsIn.month}::int
              and (s.valid_to is null or s.valid_to > night.last - ${nightsIn.month}::int)) as price_30,
          min(least(s.price, s.loyalty_price)) as lowest_price,
          max(s.price) as highest_price
        from marts.fct_price_spell s
        where s.product_key = shown.product_key and (s.valid_to is null or s.valid_to > night.last - 366)
      ) as past
      cross join lateral (
        select (json_agg(json_build_array(c.snapshot_date, c.ended_on) order by c.snapshot_date))::text as offers
        from marts.fct_promotion_check c
        where c.product_key = shown.product_key
          and (c.ended_on is null or c.ended_on > night.last - ${nightsOfLine}::int)
      ) as carried
      left join lateral (
        select change.old_size, change.new_size
        from marts.fct_pack_change change
        where change.product_key = shown.product_key and change.snapshot_date > night.last - ${nightsIn.month}::int
        order by change.snapshot_date desc
        limit 1
      ) as pack on true
      left join lateral (
        select c.verdict_label, c.stated_percent, c.real_pct
        from marts.fct_promotion_check c
        where c.product_key = shown.product_key and now.on_promotion
          and (c.ended_on is null or c.ended_on > night.last)
        order by c.verdict_label is null, c.snapshot_date desc, c.promotion_key
        limit 1
      ) as offer on true
      order by shown.place`;

/** Certified nights of the small charts. */
export const nightsOfLines = (region: RegionCode): Sql => sql`
      select snapshot_date
      from marts.snapshot
      where region = ${region} and ${isCertified}
        and snapshot_date > ${lastCertified(region)} - ${nightsOfLine}::int
      order by snapshot_date`;
