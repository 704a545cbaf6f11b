interface PricedPack {
  readonly priceMinor: number | null;
  readonly unitPrice: number | null;
  readonly unitOfMeasure: string | null;
  readonly size: number;
  readonly measure: 'g' | 'ml' | 'each';
  readonly count: number | null;
}

/** A unit price follows from price and content within so much, beside its own rounding. */
export const tolerance = 0.01;

/**
 * Whether a unit price is what follows from the price and the content, rounded as supermarkets do; null when the two
 * cannot be compared. `unit-price-mistake.ts` asks the same in SQL.
 */
export function fitsUnitPrice({
  priceMinor,
  unitPrice,
  unitOfMeasure,
  size,
  measure,
  count,
}: PricedPack): boolean | null {
  if (priceMinor === null || priceMinor <= 0 || unitPrice === null || unitPrice <= 0) return null;
  const price = priceMinor / 100;
  const unit = unitOfMeasure?.replace(' DR.WT', '');
  const units = unit === 'each' ? (measure === 'each' ? size : count) : unit === unitOf[measure] ? size / 1000 : null;
  if (units === null || size <= 0) return null;
  // A price that is that of one unit: weighed goods, or a pack that counts as one piece.
  if (units !== 1 && price === unitPrice) return null;
  const expected = price / units;
  return Math.abs(unitPrice - expected) <= Math.max(tolerance * expected, roundingOf(unitPrice) / 2) + 1e-9;
}

const unitOf = { g: 'kg', ml: 'litre', each: 'each' } as const;

/** A price of 100 g has a penny's rounding, and ten pence by the kilogram; one of 10 g has a pound's. */
function roundingOf(unitPrice: number): number {
  const pence = Math.round(unitPrice * 100);
  if (pence % 100 === 0 && pence >= 2_000) return 1;
  return pence % 10 === 0 ? 0.1 : 0.01;
}
