import type { Invariant } from './invariant.ts';

const listed = `('available', 'unavailable')`;
const text = (table: string, column: string) =>
  `select '${table}.${column}' as where_from, ${column} as value
   from catalog.${table}
   where ${column} ~ '[\\x01-\\x08\\x0b-\\x1f\\x7f]'`;

/** Consistency of the catalogue: complete rows and valid amounts. */
export const catalogueInvariants: readonly Invariant[] = [
  {
    says: 'of every product it is known what it is now, and only of products',
    sql: `select product_key, region, product_id from catalog.product p
          full join catalog.product_current c using (product_key)
          where p.product_key is null or c.product_key is null`,
  },
  {
    says: 'prices and availability are known without a gap since the product was first seen',
    sql: `select product_key, table_name, first_seen_at from catalog.product p
          cross join lateral (
            select 'price_spell' as table_name, min(valid_from) as since, bool_or(is_gap) as has_gap from (
              select valid_from, valid_to <> lead(valid_from) over (order by valid_from) as is_gap
              from catalog.price_spell h where h.product_key = p.product_key) as h
            union all
            select 'availability_spell', min(valid_from), bool_or(is_gap) from (
              select valid_from, valid_to <> lead(valid_from) over (order by valid_from) as is_gap
              from catalog.availability_spell h where h.product_key = p.product_key) as h
          ) as known
          where since is distinct from first_seen_at or has_gap`,
  },
  {
    says: 'a product belongs to a region that is known',
    sql: `select product_key, region from catalog.product where region not in (select region from catalog.region)`,
  },
  {
    says: "a product's availability and its flag for sale agree while it is listed",
    sql: `select product_key, availability, is_for_sale
          from catalog.product_current c
          join catalog.product p using (product_key)
          where availability in ${listed} and (availability = 'available') <> is_for_sale`,
  },
  {
    says: 'prices are whole, positive pence or cents, and unit prices positive numbers',
    sql: `select product_key, valid_from, price_minor, unit_price from catalog.price_spell
          where price_minor <= 0 or unit_price <= 0 or unit_price = 'NaN' or unit_price = 'Infinity'`,
  },
  {
    says: 'what promotions promise is positive',
    sql: `select promotion_key, description from catalog.promotion
          where loyalty_price_minor <= 0 or deal_price_minor <= 0 or loyalty_unit_price <= 0 or quantity <= 0
            or pay_quantity <= 0
             or save_percent <= 0 or save_percent > 100
             or was_price_minor <= 0 or now_price_minor <= 0 or saving_minor <= 0`,
  },
  {
    says: 'barcodes have 14 digits',
    sql: `select product_key, gtin from catalog.product where gtin !~ '^\\d{14}$'`,
  },
  {
    says: 'texts hold no control characters',
    sql: [
      text('product', 'title'),
      text('product', 'brand'),
      text('promotion', 'description'),
      text('category', 'name'),
    ].join(' union all '),
  },
  {
    says: 'details that have a nutrition table are there',
    sql: `select n.product_key, n.valid_from from catalog.product_nutrition n
          left join catalog.product_detail d on d.product_key = n.product_key and d.valid_from = n.valid_from
          where d.product_key is null`,
  },
];
