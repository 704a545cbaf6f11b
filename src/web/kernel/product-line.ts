import { nightsIn, type RegionCode } from '../../base/model/index.ts';
import { isCertified } from '../../questions/certified.ts';
import type { Column } from '../../questions/columns.ts';
import { type Sql, sql } from '../../questions/sql.ts';

/** Number of nights in the small chart of a product in a list. */
export const nightsOfSpark = 90;

/** A price from a night to another (null: still valid): what is drawn, and the least that anyone paid. */
type Drawn = readonly [from: string, to: string | null, drawn: number | null, paid: number | null];

/** What a list shows of a product beside the columns of its question. */
export interface Line {
  readonly brand: string | null;
  readonly department: string | null;
  readonly availability: string;
  readonly on_promotion: boolean;
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly unit_price: string | null;
  /** Unit of its unit price. */
  readonly unit: string | null;
  /** What an offer per unit, such as per kg, gives members. */
  readonly unit_loyalty: string | null;
  readonly history: readonly Drawn[] | null;
  readonly offers: readonly (readonly [from: string, to: string | null])[] | null;
  /** Verdict on the running offer, what it says to save, and what it saves, percent; null: nothing was checked. */
  readonly verdict: readonly [label: string, stated: string | null, real: string | null] | null;
  /** Content before and after the pack's change in 30 nights; null: it did not change. */
  readonly pack: readonly [before: string, after: string] | null;
  readonly price_30: string | null;
  readonly lowest: string | null;
  readonly highest: string | null;
}

/** What the small chart draws, and its name. */
export const drawnPrices = {
  shelf: { name: 'Shelf price', of: sql`s.price` },
  member: { name: 'With a card', of: sql`least(s.price, s.loyalty_price)` },
  unit: { name: 'Per unit', of: sql`s.unit_price` },
} as const;

export type DrawnPrice = keyof typeof drawnPrices;

/** A column `line` with all that a list shows of the product, for any question with a `product_key`. */
export const lineColumn = (key: Sql, drawn: DrawnPrice): Column => ({
  name: 'line',
  of: 'asked',
  expression: sql`(
      select json_build_object(
        'brand', n.brand, 'availability', n.availability, 'on_promotion', n.on_promotion,
        -- Of what is out of stock, the price at which it was last for sale, whatever is shown beside it.
        'price', n.sale_price::text, 'loyalty_price', n.loyalty_price::text,
        'unit_price', n.sale_unit_price::text, 'unit', n.sale_unit_of_measure,
        'unit_loyalty', (
          select c.reduced_price::text from marts.fct_promotion_check c
          where c.product_key = n.product_key and n.on_promotion and c.kind = 'loyalty_unit_price'
            and (c.ended_on is null or c.ended_on > night.last)
          order by c.snapshot_date desc limit 1),
        'history', past.history, 'price_30', past.price_30::text, 'lowest', past.lowest::text,
        'highest', past.highest::text,
        'verdict', (
          select json_build_array(c.verdict_label, c.stated_percent::text, c.real_pct::text)
          from marts.fct_promotion_check c
          where c.product_key = n.product_key and n.on_promotion and c.verdict_label is not null
            and (c.ended_on is null or c.ended_on > night.last)
          order by c.snapshot_date desc, c.promotion_key limit 1),
        'pack', (
          select json_build_array(change.old_size::text, change.new_size::text)
          from marts.fct_pack_change change
          where change.product_key = n.product_key and change.snapshot_date > night.last - ${nightsIn.month}::int
          order by change.snapshot_date desc limit 1),
        'department', (select department from marts.dim_product where product_key = n.product_key),
        'offers', (
          select json_agg(json_build_array(c.snapshot_date, c.ended_on) order by c.snapshot_date)
          from marts.fct_promotion_check c
          where c.product_key = n.product_key
            and (c.ended_on is null or c.ended_on > night.last - ${nightsOfSpark}::int)))
      from (select * from marts.product_now where product_key = ${key} offset 0) as n
      cross join lateral (
        select max(snapshot_date) as last from marts.snapshot where region = n.region and ${isCertified}
      ) as night
      cross join lateral (
        select
          json_agg(
            json_build_array(s.valid_from, s.valid_to, ${drawnPrices[drawn].of}, least(s.price, s.loyalty_price))
              order by s.valid_from)
            filter (where s.valid_to is null or s.valid_to > night.last - ${nightsOfSpark}::int) as history,
          min(s.price) filter (
            where s.valid_from <= night.last - ${nightsIn.month}::int
              and (s.valid_to is null or s.valid_to > night.last - ${nightsIn.month}::int)) as price_30,
          min(least(s.price, s.loyalty_price)) as lowest, max(s.price) as highest
        from marts.fct_price_spell s
        where s.product_key = n.product_key and (s.valid_to is null or s.valid_to > night.last - 366)
      ) as past)`,
});

/** Certified nights of the small charts. */
export const nightsOfSparks = (region: RegionCode): Sql => sql`
      select snapshot_date
      from (
        select snapshot_date, max(snapshot_date) over () as last
        from marts.snapshot
        where region = ${region} and ${isCertified}
      ) as night
      where snapshot_date > last - ${nightsOfSpark}::int
      order by snapshot_date`;
