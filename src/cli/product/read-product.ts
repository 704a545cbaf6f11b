import type { RegionCode } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Everything there is to say of one product, with the names of the marts; amounts are exact texts. */
export interface ProductAccount {
  readonly product: ProductState;
  readonly categories: readonly string[];
  readonly promotions: readonly PromotionInEffect[];
  readonly prices: readonly PriceSpell[];
  readonly availabilities: readonly AvailabilitySpell[];
  /** The region's nights since it was first listed, oldest first. */
  readonly nights: readonly Night[];
}

interface ProductState extends Record<string, unknown> {
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

interface PromotionInEffect extends Record<string, unknown> {
  readonly description: string;
  readonly kind: string;
  readonly loyalty_price: string | null;
  readonly starts_on: string | null;
  /** The first date without it, or the one in the middle of which it ends. */
  readonly ends_on: string | null;
  readonly last_day: string | null;
}

/** As in marts: from a night on, until (null: still) another is the first that is not in it. */
export interface Spell {
  readonly valid_from: string;
  readonly valid_to: string | null;
}

export interface PriceSpell extends Spell, Record<string, unknown> {
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
}

export interface AvailabilitySpell extends Spell, Record<string, unknown> {
  readonly availability: string;
}

export interface Night extends Record<string, unknown> {
  readonly snapshot_date: string;
  /** Null: not listed, or without a price. */
  readonly price: string | null;
}

/** Reads marts alone. Null when nothing of the region is published, or it has no such product. */
export async function readProduct(sql: Askable, region: RegionCode, productId: string): Promise<ProductAccount | null> {
  const of = [region, productId];
  const [product] = await rowsOf<ProductState>(sql, state, of);
  if (!product) return null;
  const categories = await rowsOf<{ path: string }>(sql, paths, of);
  const promotions = await rowsOf<PromotionInEffect>(sql, inEffect, of);
  return {
    product,
    categories: categories.map(({ path }) => path),
    promotions,
    prices: await rowsOf<PriceSpell>(sql, priceSpells, of),
    availabilities: await rowsOf<AvailabilitySpell>(sql, availabilitySpells, of),
    nights: await rowsOf<Night>(sql, nights, of),
  };
}

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
    (f.ends_at at time zone region.time_zone)::date::text as ends_on,
    ((f.ends_at - interval '1 microsecond') at time zone region.time_zone)::date::text as last_day
  from marts.fct_promotion f
  -- Of a product that is gone the promotions stay as they were last seen.
  join marts.product_now product on product.product_key = f.product_key and product.availability in ('available', 'unavailable')
  join marts.dim_region region on region.region = f.region
  join (
    select started_at from marts.snapshot where region = $1 order by snapshot_date desc limit 1
  ) as night on (f.starts_at is null or f.starts_at <= night.started_at)
    and (f.ends_at is null or f.ends_at > night.started_at)
  where f.region = $1 and f.product_id = $2 and f.seen_to is null
  order by f.ends_at nulls last, f.description`;

const priceSpells = `
  select valid_from::text as valid_from, valid_to::text as valid_to, price, loyalty_price, unit_price, unit_of_measure
  from marts.fct_price_spell where region = $1 and product_id = $2
  order by valid_from`;

const availabilitySpells = `
  select valid_from::text as valid_from, valid_to::text as valid_to, availability
  from marts.fct_availability_spell where region = $1 and product_id = $2
  order by valid_from`;

const nights = `
  with spell as (
    select valid_from, valid_to, price from marts.fct_price_spell where region = $1 and product_id = $2)
  select s.snapshot_date::text as snapshot_date, spell.price
  from marts.snapshot s
  left join spell on s.snapshot_date >= spell.valid_from and (spell.valid_to is null or s.snapshot_date < spell.valid_to)
  where s.region = $1 and s.snapshot_date >= (select min(valid_from) from spell)
  order by s.snapshot_date`;
