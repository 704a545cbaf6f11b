import type { RegionCode } from '../base/model/index.ts';
import { fields, type RowOf } from './columns.ts';
import { type Sql, sql } from './sql.ts';

/** SQL: current product key of an id. */
export const keyOf = (region: RegionCode, id: string) =>
  sql`(select n.product_key from marts.product_now n where n.region = ${region} and n.product_id = ${id})`;

/** SQL: keys of the deepest categories of a product. */
export const shelvesOf = (key: Sql) => sql`
      select category_key from marts.product_category_now where product_key = ${key}
      order by depth desc fetch first 1 row with ties`;

export const factColumns = [
  ...fields('region', 'product_id', 'title', 'brand', 'gtin', 'price', 'loyalty_price', 'currency', 'unit_price'),
  ...fields('unit_of_measure', 'availability', 'first_seen_on', 'pack_size', 'pack_measure', 'pack_source'),
  ...fields('description', 'ingredients', 'allergens', 'storage', 'on_promotion', 'pack_count'),
  { name: 'details_since', as: 'instant' },
] as const;

/** A product with its last known price, even if it is gone. */
export type ProductFacts = RowOf<{ columns: typeof factColumns }>;

export const factsOf = (region: RegionCode, id: string) => sql`
      select
        p.region, p.product_id, p.title, p.brand, p.gtin, p.tpnb, n.price, n.loyalty_price, n.currency, n.unit_price,
        n.unit_of_measure, n.availability, n.on_promotion,
        (p.first_seen_at at time zone region.time_zone)::date as first_seen_on,
        p.pack_size, p.pack_measure, p.pack_count, p.pack_source,
        p.description, p.ingredients, p.allergens, p.storage, p.details_since
      from marts.dim_product p
      join marts.product_now n on n.product_key = p.product_key
      join marts.dim_region region on region.region = p.region
      where p.region = ${region} and p.product_id = ${id} and n.region = ${region} and n.product_id = ${id}`;

export const availabilityColumns = fields('valid_from', 'valid_to', 'availability');
export type AvailabilitySpell = RowOf<{ columns: typeof availabilityColumns }>;

/** Newest first. */
export const availabilityOf = (region: RegionCode, id: string) => sql`
      select valid_from, valid_to, availability
      from marts.fct_availability_spell
      where region = ${region} and product_id = ${id} and product_key = ${keyOf(region, id)}
      order by valid_from desc`;
