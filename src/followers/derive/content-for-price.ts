/** SQL: what a price pays for at its unit price, exactly; rows as in `catalog.price_spell`. */
const ratio = (price: string) => `(${price}.price_minor * 0.01 / ${price}.unit_price)`;

const isTold = (price: string) => `(${price}.price_minor > 0 and ${price}.unit_price > 0)`;

/**
 * SQL: about how much a pack holds, in grams, millilitres or pieces, by its price and its unit price; null when they do
 * not say. To two digits: a unit price is rounded, and a size that moves with every penny is none. A pack whose price
 * is that of a kilogram is weighed, and holds whatever it weighs; drained weight is not the pack's. Pieces count when
 * they are certain.
 */
export const impliedContent = (price: string): string => `case
    when not ${isTold(price)} then null
    when ${price}.unit_of_measure in ('kg', 'litre') and ${ratio(price)} <> 1
      then round(${ratio(price)} * 1000, 1 - floor(log((${ratio(price)} * 1000)::float8))::int)
    when ${price}.unit_of_measure = 'each' and ${price}.unit_price > 0.005
      and ceil(${price}.price_minor * 0.01 / (${price}.unit_price + 0.005)) = floor(${price}.price_minor * 0.01 / (${price}.unit_price - 0.005))
      then ceil(${price}.price_minor * 0.01 / (${price}.unit_price + 0.005))
  end`;

/** SQL: the measure of that content. */
export const impliedMeasure = (price: string): string =>
  `case ${price}.unit_of_measure when 'kg' then 'g' when 'litre' then 'ml' when 'each' then 'each' end`;
