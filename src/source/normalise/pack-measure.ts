import { canonicalDecimal, type Decimal, timesDecimal } from './decimal.ts';

export interface PackSize {
  /** Content of the whole pack in `measure`: 1320 ml for `4X330ml`. */
  readonly size: Decimal;
  readonly measure: 'g' | 'ml' | 'each';
  /** Number of pieces, if stated: 4 for `4X330ml`, 8 for `8 Pack`. */
  readonly count: number | null;
}

/** Converts an amount to grams or millilitres; null for other units. */
export function measured(value: string, units: string): PackSize | null {
  const name = units.toLowerCase();
  const [, [measure, factor] = []] = measures.find(([pattern]) => pattern.test(name)) ?? [];
  if (measure === undefined || factor === undefined) return null;
  const decimal = decimalOf(value, factor);
  return decimal === null || decimal === '0'
    ? null
    : { size: timesDecimal(decimal, String(factor)), measure, count: null };
}

/** A comma before three digits separates thousands of grams (1,000g) but decimals of kilograms and litres (1,136 l). */
function decimalOf(value: string, factor: number): Decimal | null {
  const isThousands = factor < 1_000 && /,\d{3}$/.test(value);
  return canonicalDecimal(isThousands ? value.replace(',', '') : value.replace(',', '.'));
}

type Measure = readonly [measure: 'g' | 'ml', factor: number];

/** Complete unit names only: `M` is a metre of foil, `PACK` not a pint, `LB` not a litre. */
const measures: readonly (readonly [pattern: RegExp, measure: Measure])[] = [
  [/^(?:kgs?|kgm|kilos?|kilogram(?:me)?s?)$/, ['g', 1_000]],
  [/^(?:g|gms?|gr|grm|gram(?:me)?s?)$/, ['g', 1]],
  [/^(?:mls?|mlt|millilit(?:re|er)s?)$/, ['ml', 1]],
  [/^(?:cl|clt|centilit(?:re|er)s?)$/, ['ml', 10]],
  [/^(?:l|lts?|ltrs?|lit(?:re|er)s?)$/, ['ml', 1_000]],
  // As labelled by dairies; the exact pint is 568.26 ml.
  [/^(?:pints?|pt)$/, ['ml', 568]],
];
