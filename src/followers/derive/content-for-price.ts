/** SQL: exact quantity paid for, price divided by unit price; rows as in `catalog.price_spell`. */
const ratio = (price: string) => `(${price}.price_minor * 0.01 / ${price}.unit_price)`;

const isTold = (price: string) => `(${price}.price_minor > 0 and ${price}.unit_price > 0)`;

/**
 * SQL: approximate content of a pack in grams, millilitres or pieces, from price and unit price; null if they do not
 * determine it. Rounded to two digits, because unit prices are rounded. A pack priced as one kilogram is sold by
 * weight, and drained weight is not the content. Pieces count only if they are certain.
 */
export const impliedContent = (price: string): string => `case
    when not ${isTold(price)} then null
    when ${price}.unit_of_measure in ('kg', 'litre') and ${ratio(price)} <> 1
      then round(${ratio(price)} * 1000, 1 - floor(log((${ratio(price)} * 1000)::float8))::int)
    when ${price}.unit_of_measure = 'each' and ${price}.unit_price > 0.005
      and ceil(${price}.price_minor * 0.01 / (${price}.unit_price + 0.005))
        = floor(${price}.price_minor * 0.01 / (${price}.unit_price - 0.005))
      then ceil(${price}.price_minor * 0.01 / (${price}.unit_price + 0.005))
  end`;

/** SQL: measure of the implied content. */
export const impliedMeasure = (price: string): string =>
  `case ${price}.unit_of_measure when 'kg' then 'g' when 'litre' then 'ml' when 'each' then 'each' end`;
