import type { ComparedPeriod, Panel, PriceBasis } from './panel.ts';
import type { Comparison } from './relatives.ts';

/** Logarithms of published index values relative to the base period, by dense category number; NaN where there is none. */
export interface Published {
  readonly start: string;
  readonly chained: Readonly<Record<PriceBasis, Float64Array>>;
  readonly geks: Readonly<Record<PriceBasis, Float64Array>>;
  /** Starts of the base periods; empty where the category had no price. */
  readonly baseStart: string[];
}

/** A period's values, ready to be kept. */
export interface IndexedPeriod extends Published {
  readonly fixed: Readonly<Record<PriceBasis, Float64Array>>;
  readonly mean: Readonly<Record<PriceBasis, Float64Array>>;
  readonly priced: Int32Array;
  readonly matched: Readonly<Record<PriceBasis, Int32Array>>;
  readonly outliers: Readonly<Record<PriceBasis, Int32Array>>;
  readonly fixedMatched: Readonly<Record<PriceBasis, Int32Array>>;
  /** Null in the first period of all. */
  readonly arrivals: Int32Array | null;
  readonly departures: Int32Array | null;
}

/** Mean price of a category, in minor units. */
export const meanOf = (
  { priced, priceSum }: Pick<Panel, 'priced' | 'priceSum'>,
  basis: PriceBasis,
  c: number,
): number => priceSum[basis][c]! / priced[c]!;

/** Of a category: what came and what went since the period before. */
export function countMoves(
  { arrivals, departures }: IndexedPeriod,
  previous: ComparedPeriod,
  comparison: Comparison,
  c: number,
): void {
  const both = comparison.both[c] ?? 0;
  arrivals![c]! -= both;
  departures![c] = (previous.priced[c] ?? 0) - both;
}

/** No values yet but the counts of the panel. */
export function blankPeriod(panel: Panel, categories: number, hasPrevious: boolean): IndexedPeriod {
  const values = () => ({
    shelf: new Float64Array(categories).fill(Number.NaN),
    member: new Float64Array(categories).fill(Number.NaN),
  });
  const counts = () => ({ shelf: new Int32Array(categories), member: new Int32Array(categories) });
  const priced = new Int32Array(categories);
  priced.set(panel.priced);
  return {
    start: panel.start,
    chained: values(),
    geks: values(),
    fixed: values(),
    mean: values(),
    baseStart: new Array<string>(categories).fill(''),
    priced,
    matched: counts(),
    outliers: counts(),
    fixedMatched: counts(),
    arrivals: hasPrevious ? priced.slice() : null,
    departures: hasPrevious ? new Int32Array(categories) : null,
  };
}
