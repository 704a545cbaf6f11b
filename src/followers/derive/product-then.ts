/**
 * SQL, to select from: products as they were known at an instant. What a partial run has said of them since is no word
 * of a certified night, and what it was the first to see is not among them.
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
