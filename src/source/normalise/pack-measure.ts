import { canonicalDecimal, type Decimal, isZero, timesDecimal } from './decimal.ts';

export interface PackSize {
  /** Content of the whole pack in `measure`: `4X330ml` holds 1320 ml. */
  readonly size: Decimal;
  readonly measure: 'g' | 'ml' | 'each';
  /** Pieces in the pack, when it says so: 4 of `4X330ml`, 8 of `8 Pack`. */
  readonly count: number | null;
}

/** An amount of a unit as grams or millilitres; null for a unit that is neither. */
export function measured(value: string, units: string): PackSize | null {
  const name = units.toLowerCase();
  const [, [measure, factor] = []] = measures.find(([pattern]) => pattern.test(name)) ?? [];
  if (measure === undefined || factor === undefined) return null;
  const decimal = decimalOf(value, factor);
  return decimal === null || isZero(decimal)
    ? null
    : { size: timesDecimal(decimal, String(factor)), measure, count: null };
}

/** A comma before three digits parts thousands of grams (1,000g) and decimals of kilograms (1,136 l). */
function decimalOf(value: string, factor: number): Decimal | null {
  const isThousands = factor < 1_000 && /,\d{3}$/.test(value);
  return canonicalDecimal(isThousands ? value.replace(',', '') : value.replace(',', '.'));
}

type Measure = readonly [measure: 'g' | 'ml', factor: number];

/** In full: `M` is a metre of foil, `PACK` no pint and `LB` no litre. */
const measures: readonly (readonly [pattern: RegExp, measure: Measure])[] = [
  [/^(?:kgs?|kgm|kilos?|kilogram(?:me)?s?)$/, ['g', 1_000]],
  [/^(?:g|gms?|gr|grm|gram(?:me)?s?)$/, ['g', 1]],
  [/^(?:mls?|mlt|millilit(?:re|er)s?)$/, ['ml', 1]],
  [/^(?:cl|clt|centilit(?:re|er)s?)$/, ['ml', 10]],
  [/^(?:l|lts?|ltrs?|lit(?:re|er)s?)$/, ['ml', 1_000]],
  // As dairies label it; the exact pint is 568.26 ml.
  [/^(?:pints?|pt)$/, ['ml', 568]],
];
