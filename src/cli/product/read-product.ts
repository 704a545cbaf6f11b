import type { RegionCode } from '../../base/model/index.ts';
import {
  type AvailabilitySpell,
  type PriceSpell,
  type ProductFacts,
  productStatements,
  type Spell,
} from '../../questions/product.ts';
import type { Ask, Row } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';

/** A product in terms of the marts; amounts are exact strings. */
export interface ProductAccount {
  /** State on the region's last night. */
  readonly product: ProductFacts & LastNight;
  readonly categories: readonly string[];
  readonly promotions: readonly PromotionInEffect[];
  readonly prices: readonly PriceSpell[];
  readonly availabilities: readonly AvailabilitySpell[];
  /** Nights of the region since the product was first listed, oldest first. */
  readonly nights: readonly Night[];
}

interface LastNight extends Row {
  readonly snapshot_date: string;
  readonly run_id: number;
  readonly certificate: string;
}

interface PromotionInEffect extends Row {
  readonly description: string;
  readonly last_day: string | null;
}

export interface Night {
  readonly snapshot_date: string;
  /** Null: not listed, or no price. */
  readonly price: string | null;
}

/** Reads only marts. Null if the product is unknown or the region has no published night. */
export async function readProduct(ask: Ask, region: RegionCode, id: string): Promise<ProductAccount | null> {
  const rowsOf = async <Answer>(statement: Parameters<Ask>[0]) => (await ask(statement)).rows as readonly Answer[];
  const statements = productStatements(region, id);
  const nights = await rowsOf<LastNight>(sql`
    select snapshot_date, run_id, certificate from marts.snapshot where region = ${region} order by snapshot_date`);
  const last = nights.at(-1);
  const [facts] = await rowsOf<ProductFacts>(statements.facts);
  if (!facts || !last) return null;
  const categories = await rowsOf<{ path: string }>(sql`
    select c.path
    from marts.bridge_product_category b
    join marts.dim_category c on c.category_key = b.category_key
    where b.region = ${region} and b.product_id = ${id} and b.is_direct and b.valid_to is null
    order by c.path`);
  const prices = [...(await rowsOf<PriceSpell>(statements.prices))].reverse();
  const availabilities = [...(await rowsOf<AvailabilitySpell>(statements.availability))].reverse();
  const isListed = ['available', 'unavailable'].includes(facts.availability);
  const noPrice = { price: null, loyalty_price: null, unit_price: null, unit_of_measure: null };
  const begins = prices[0]?.valid_from;
  return {
    product: { ...facts, ...(isListed ? {} : noPrice), ...last },
    categories: categories.map(({ path }) => path),
    // Promotions of a product that is gone stay as last seen, so they are not in effect.
    promotions: isListed ? await rowsOf<PromotionInEffect>(inEffect(region, id)) : [],
    prices,
    availabilities,
    nights: nights
      .filter(({ snapshot_date }) => begins !== undefined && snapshot_date >= begins)
      .map(({ snapshot_date }) => ({
        snapshot_date,
        price: prices.find((spell) => isWithin(snapshot_date, spell))?.price ?? null,
      })),
  };
}

export const isWithin = (date: string, { valid_from, valid_to }: Spell): boolean =>
  valid_from <= date && (valid_to === null || date < valid_to);

const inEffect = (region: RegionCode, id: string) => sql`
  select f.description, f.kind, f.loyalty_price,
    (f.starts_at at time zone region.time_zone)::date as starts_on,
    (f.ends_at at time zone region.time_zone)::date as ends_on,
    ((f.ends_at - interval '1 microsecond') at time zone region.time_zone)::date as last_day
  from marts.fct_promotion f
  join marts.dim_region region on region.region = f.region
  join (
    select started_at from marts.snapshot where region = ${region} order by snapshot_date desc limit 1
  ) as night on (f.starts_at is null or f.starts_at <= night.started_at)
    and (f.ends_at is null or f.ends_at > night.started_at)
  where f.region = ${region} and f.product_id = ${id} and f.seen_to is null
  order by f.ends_at nulls last, f.description`;
