import type { RegionCode } from '../base/model/index.ts';
import { sql } from './sql.ts';

export interface ProductFacts {
  readonly region: RegionCode;
  readonly product_id: string;
  readonly title: string | null;
  readonly brand: string | null;
  readonly gtin: string | null;
  /** Last known price, even if the product is gone. */
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly currency: string;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly availability: string;
  readonly on_promotion: boolean;
  readonly first_seen_on: string;
  readonly pack_size: string | null;
  readonly pack_measure: string | null;
  readonly pack_count: number | null;
  readonly pack_source: string | null;
  readonly description: string | null;
  readonly ingredients: string | null;
  readonly allergens: string | null;
  readonly storage: string | null;
  readonly details_since: Date | null;
}

/** Valid from one night until another, exclusive (null: still valid). */
export interface Spell {
  readonly valid_from: string;
  readonly valid_to: string | null;
}

export interface PriceSpell extends Spell {
  readonly price: string | null;
  readonly loyalty_price: string | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
}

export interface AvailabilitySpell extends Spell {
  readonly availability: string;
}

/** SQL: current product key of an id. */
export const keyOf = (region: RegionCode, id: string) =>
  sql`(select n.product_key from marts.product_now n where n.region = ${region} and n.product_id = ${id})`;

/** Statements about a product, shared by the command and the page; newest spells first. */
export const productStatements = (region: RegionCode, id: string) => ({
  facts: sql`
        select
          p.region, p.product_id, p.title, p.brand, p.gtin, p.tpnb, n.price, n.loyalty_price, n.currency, n.unit_price,
          n.unit_of_measure, n.availability, n.on_promotion,
          (p.first_seen_at at time zone region.time_zone)::date as first_seen_on,
          p.pack_size, p.pack_measure, p.pack_count, p.pack_source,
          p.description, p.ingredients, p.allergens, p.storage, p.details_since
        from marts.dim_product p
        join marts.product_now n on n.product_key = p.product_key
        join marts.dim_region region on region.region = p.region
        where p.region = ${region} and p.product_id = ${id} and n.region = ${region} and n.product_id = ${id}`,
  prices: sql`
        select valid_from, valid_to, price, loyalty_price, unit_price, unit_of_measure, currency
        from marts.fct_price_spell
        where region = ${region} and product_id = ${id} and product_key = ${keyOf(region, id)}
        order by valid_from desc`,
  availability: sql`
        select valid_from, valid_to, availability
        from marts.fct_availability_spell
        where region = ${region} and product_id = ${id} and product_key = ${keyOf(region, id)}
        order by valid_from desc`,
});
