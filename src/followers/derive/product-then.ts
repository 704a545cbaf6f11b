/**
 * SQL to select from: products as known at an instant, without later changes by partial runs and without products first
 * seen by them.
 */
export const productsThen = (at: string): string => `(
  select p.product_key, p.region, known.*
  from catalog.product p
  cross join lateral (
    select p.valid_from, p.gtin, p.tpnb, p.brand, p.title where p.valid_from <= ${at}
    union all
    select h.valid_from, h.gtin, h.tpnb, h.brand, h.title
    from catalog.product_history h
    where p.valid_from > ${at} and h.product_key = p.product_key and h.valid_from <= ${at} and h.valid_to > ${at}
  ) as known
)`;
