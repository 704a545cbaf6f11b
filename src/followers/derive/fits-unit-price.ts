/** Relative tolerance of a unit price, in addition to its rounding. */
export const tolerance = 0.01;

/**
 * SQL: whether a row's unit price follows from its price and content, with usual rounding; null if they are not
 * comparable.
 */
export function fitsUnitPrice(row: string, size: string, measure: string, count: string): string {
  const unit = `replace(${row}.unit_of_measure, ' DR.WT', '')`;
  const price = `(${row}.price_minor * 0.01)`;
  const units = `(case
      when ${unit} = 'each' and ${measure} = 'each' then ${size}
      when ${unit} = 'each' then ${count}
      when (${unit}, ${measure}) in (('kg', 'g'), ('litre', 'ml')) then ${size} / 1000
    end)`;
  const expected = `(${price} / nullif(${units}, 0))`;
  return `case
      when not (${row}.price_minor > 0 and ${row}.unit_price > 0 and ${size} > 0) then null
      -- The price equals the unit price: sold by weight, or a pack that counts as one piece.
      when ${units} <> 1 and ${price} = ${row}.unit_price then null
      else abs(${row}.unit_price - ${expected})
        <= greatest(${tolerance} * ${expected}, ${roundingOf(`${row}.unit_price`)} / 2)
    end`;
}

/**
 * SQL: rounding of a unit price: one penny for a price per 100 g, ten pence per kilogram; one pound for a price per 10
 * g.
 */
export const roundingOf = (unitPrice: string): string =>
  `(case
    when ${unitPrice} % 1 = 0 and ${unitPrice} >= 10 then 1
    when ${unitPrice} * 10 % 1 = 0 then 0.1
    else 0.01
  end)`;
