/**
 * SQL: what a product's own page says of it, by `d` (ops.detail_fetch) and `s` (stage.detail). A page that is there and
 * calls the product neither for sale nor not found, such as one that is out of stock, proves neither.
 */
export const saysForSale = `coalesce(d.status = 'done' and s.status = 'AvailableForSale', false)`;
export const saysGone = `coalesce(d.status = 'done' and (d.outcome = 'not_there' or s.status = 'ProductNotFound'), false)`;
export const saysNeither = `coalesce(d.status = 'done' and not ${saysForSale} and not ${saysGone}, false)`;
