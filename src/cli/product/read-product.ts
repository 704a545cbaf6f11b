import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { RegionCode } from '../../model/index.ts';
import { type NumberedNight, type Spell, spellsOf } from './spells.ts';

/** Everything there is to say of one product, with the names of the marts; amounts are exact texts. */
export interface ProductAccount {
  readonly product: ProductState;
  readonly categories: readonly string[];
  readonly promotions: readonly PromotionInEffect[];
  readonly prices: readonly PriceSpell[];
  readonly availabilities: readonly AvailabilitySpell[];
  /** Price of each certified night, oldest first; null: not listed, or without a price. */
  readonly nightly: readonly (number | null)[];
}

export interface ProductState extends Record<string, unknown> {
  readonly region: string;
  readonly product_id: string;
  readonly title: string | null;
  readonly brand: string | null;
  readonly gtin: string | null;
  readonly pack_size: string | null;
  readonly pack_measure: string | null;
  readonly pack_count: number | null;
  readonly availability: string | null;
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly currency: string;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly first_seen_on: string;
  /** The region's last night, which this is the state of. */
  readonly snapshot_date: string;
  readonly run_id: number;
  readonly certificate: string;
}

export interface PromotionInEffect extends Record<string, unknown> {
  readonly description: string;
  readonly kind: string;
  readonly loyalty_price: string | null;
  readonly starts_on: string | null;
  readonly ends_on: string | null;
}

/** Nights in a row with the same offer. */
export interface PriceSpell extends Spell {
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
}

export interface AvailabilitySpell extends Spell {
  /** `available`, `unavailable` or `not listed`. */
  readonly availability: string;
}

/** Reads marts alone. Null when nothing of the region is published, or it has no such product. */
export async function readProduct(sql: Askable, region: RegionCode, productId: string): Promise<ProductAccount | null> {
  const of = [region, productId];
  const [product] = await rowsOf<ProductState>(sql, state, of);
  if (!product) return null;
  const categories = await rowsOf<{ path: string }>(sql, paths, of);
  const promotions = await rowsOf<PromotionInEffect>(sql, inEffect, of);
  const nights = await rowsOf<Night>(sql, certifiedNights, of);
  return {
    product,
    categories: categories.map(({ path }) => path),
    promotions,
    prices: spellsOf(
      nights.filter(({ availability }) => availability !== notListed),
      ({ price, loyalty_price, unit_price, unit_of_measure }) => ({
        price,
        loyalty_price,
        unit_price,
        unit_of_measure,
      }),
    ),
    availabilities: spellsOf(nights, ({ availability }) => ({ availability })),
    nightly: nights.map(({ price }) => (price === null ? null : Number(price))),
  };
}

interface Night extends NumberedNight, Record<string, unknown> {
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly availability: string;
}

const notListed = 'not listed';

const state = `
  with night as (
    select snapshot_date, run_id, certificate
    from marts.snapshot where region = $1 order by snapshot_date desc limit 1)
  select
    p.region, p.product_id, p.title, p.brand, p.gtin, p.availability, p.pack_size::text as pack_size, p.pack_measure, p.pack_count,
    listed.price, listed.loyalty_price, region.currency, listed.unit_price, listed.unit_of_measure,
    (p.first_seen_at at time zone region.time_zone)::date::text as first_seen_on,
    night.snapshot_date::text as snapshot_date, night.run_id, night.certificate
  from marts.dim_product p
  join marts.dim_region region on region.region = p.region
  cross join night
  left join marts.as_of($1, (select snapshot_date from night)) listed on listed.product_id = p.product_id
  where p.region = $1 and p.product_id = $2`;

const paths = `
  select c.path
  from marts.bridge_product_category b
  join marts.dim_category c on c.category_key = b.category_key
  where b.region = $1 and b.product_id = $2 and b.is_direct and b.valid_to is null
  order by c.path`;

const inEffect = `
  select f.description, f.kind, f.loyalty_price,
    (f.starts_at at time zone region.time_zone)::date::text as starts_on,
    (f.ends_at at time zone region.time_zone)::date::text as ends_on
  from marts.fct_promotion f
  join marts.dim_region region on region.region = f.region
  join (
    select started_at from marts.snapshot where region = $1 order by snapshot_date desc limit 1
  ) as night on (f.starts_at is null or f.starts_at <= night.started_at)
    and (f.ends_at is null or f.ends_at > night.started_at)
  where f.region = $1 and f.product_id = $2 and f.seen_to is null
  order by f.ends_at nulls last, f.description`;

/** From the first night on that lists it. A night may have been crawled again, and partly: then its certified run tells. */
const certifiedNights = `
  with listed as (
    select snapshot_date, price, loyalty_price, unit_price, unit_of_measure, availability
    from marts.fct_price_daily where region = $1 and product_id = $2)
  select
    s.snapshot_date::text as snapshot_date, (row_number() over (order by s.snapshot_date))::int as no,
    l.price, l.loyalty_price, l.unit_price, l.unit_of_measure, coalesce(l.availability, '${notListed}') as availability
  from marts.snapshot s
  left join listed l on l.snapshot_date = s.snapshot_date
  where s.region = $1 and (s.certificate <> 'partial' or l.snapshot_date is not null) and s.snapshot_date >= (select min(snapshot_date) from listed)
  order by s.snapshot_date`;
