/**
 * SQL: evidence of a product's own page, from `d` (ops.detail_fetch) and `s` (stage.detail). A page that exists but is
 * neither for sale nor not found (for example out of stock) proves neither.
 */
export const saysForSale = `coalesce(d.status = 'done' and s.status = 'AvailableForSale', false)`;
export const saysGone = `coalesce(
  d.status = 'done' and (d.outcome = 'not_there' or s.status = 'ProductNotFound'), false)`;
export const saysNeither = `coalesce(d.status = 'done' and not ${saysForSale} and not ${saysGone}, false)`;
