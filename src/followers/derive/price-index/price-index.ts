import { wholeRegion } from '../category-groups.ts';
import type { Comparison } from './compare-prices.ts';
import { bases, ofBases, type PriceBasis } from './panel.ts';

/** Smaller differences of logarithms are rounding errors, because index values are stored instead of logarithms. */
const sameLog = 1e-12;

/** Logarithms by dense category number; NaN if there is none. */
export type LogsOfBases = Readonly<Record<PriceBasis, Float64Array>>;
/** And what home departments add to the logarithm of the region, as in `Comparison`. */
export type LogsOfLines = LogsOfBases & Readonly<Record<'parts', Float64Array>>;
type Line = PriceBasis | 'parts';

/** Published values of a period: logarithms relative to the base period. */
export interface Published {
  /** First day of the period. */
  readonly start: string;
  /** Starts of base periods by dense category number; empty if the category has no price. */
  readonly baseStart: string[];
  readonly chained: LogsOfBases;
  readonly geks: LogsOfLines;
  /** Variance of the logarithm since the base period. */
  readonly variance: LogsOfBases;
  /** Number of products with a price. */
  readonly priced: CountsOfBases;
}

/** A published period with Jevons indices to it from earlier periods of its window, by start. */
export interface WindowPeriod extends Published {
  readonly since: ReadonlyMap<string, LogsOfLines>;
}

export type CountsOfBases = Readonly<Record<PriceBasis, Int32Array>>;

/** All values of a period as stored in `derived.price_index`. */
export interface IndexedPeriod extends Published {
  readonly matched: CountsOfBases;
  readonly outliers: CountsOfBases;
  /** Null for the first period. */
  readonly arrivals: Int32Array | null;
  readonly departures: Int32Array | null;
}

/** Earlier periods in order, and a period's comparison with each of them by start. */
interface Earlier {
  readonly window: readonly WindowPeriod[];
  readonly comparisons: ReadonlyMap<string, Comparison>;
}

/**
 * Computes chained values and counts of a period. A category is linked to the latest period of the window that shares a
 * product with it, so the chain survives periods without prices. Without such a period a new series starts with this
 * period as its base.
 */
export function chainPeriod(
  { start, priced }: Pick<Published, 'start' | 'priced'>,
  { window, comparisons }: Earlier,
): IndexedPeriod {
  const categories = priced.shelf.length;
  const previous = window.at(-1);
  const both = previous && comparisons.get(previous.start)!.shelf.both;
  const period: IndexedPeriod = {
    start,
    baseStart: new Array<string>(categories).fill(''),
    priced,
    ...noValues(categories),
    ...{ matched: noCounts(categories), outliers: noCounts(categories) },
    arrivals: both ? priced.shelf.map((count, c) => count - both[c]!) : null,
    departures: both ? previous.priced.shelf.map((count, c) => count - both[c]!) : null,
  };
  for (let c = 0; c < categories; c++) if (priced.shelf[c]! > 0) chain(c);
  return period;

  /** All price bases share one series, determined by shelf prices or, if those are all outliers, by member prices. */
  function chain(c: number): void {
    const base = (latestMatch(c, 'shelf') ?? latestMatch(c, 'member'))?.baseStart[c];
    period.baseStart[c] = base ?? start;
    for (const basis of bases) {
      if (base === undefined) {
        period.chained[basis][c] = 0;
        period.variance[basis][c] = 0;
        period.matched[basis][c] = priced[basis][c]!;
        continue;
      }
      const linked = latestMatch(c, basis, base);
      if (!linked) continue;
      const { logJevons, matched, both } = comparisons.get(linked.start)![basis];
      period.chained[basis][c] = linked.chained[basis][c]! + logJevons[c]!;
      period.variance[basis][c] = varianceSince(c, basis, base);
      period.matched[basis][c] = matched[c]!;
      period.outliers[basis][c] = both[c]! - matched[c]!;
    }
  }

  /** Variance since the oldest comparable period of a series, and until then. A longer series adds up windows. */
  function varianceSince(c: number, basis: PriceBasis, base: string): number {
    for (const { start: earlier, baseStart, variance } of window) {
      const sum = variance[basis][c]! + comparisons.get(earlier)![basis].variance[c]!;
      if (baseStart[c] === base && !Number.isNaN(sum)) return sum;
    }
    return Number.NaN;
  }

  /** Latest comparable period of a category, optionally of the series with the given base. */
  function latestMatch(c: number, basis: PriceBasis, base?: string): WindowPeriod | undefined {
    return window.findLast(
      (earlier) =>
        comparisons.get(earlier.start)![basis].matched[c]! > 0 &&
        (base === undefined || earlier.baseStart[c] === base) &&
        !Number.isNaN(earlier.chained[basis][c]!),
    );
  }
}

/**
 * Sets the GEKS-Jevons values of the last period of a window. While the base of a series is in the window, the window
 * contains the whole series: all values follow from it, and earlier ones are revised in place. After that, published
 * values are final, and the new value is the geometric mean of each published value extrapolated by its movement since
 * then (mean splice on the published series). Returns the revised earlier periods.
 *
 * All of this is linear in the logarithms of Jevons indices, and those of the region are sums over `homes`. So the same
 * steps on the parts give what each home department adds to the region's index.
 */
export function computeGeks(window: readonly WindowPeriod[], homes: readonly number[]): Set<WindowPeriod> {
  const revised = new Set<WindowPeriod>();
  const categories = [...window.at(-1)!.baseStart.keys()];
  for (const basis of bases) computeGeksOf(basis, categories, window, revised);
  computeGeksOf('parts', homes, window, revised);
  return revised;
}

function computeGeksOf(
  line: Line,
  categories: readonly number[],
  window: readonly WindowPeriod[],
  revised: Set<WindowPeriod>,
): void {
  /** The category whose series and products decide: the region's for its parts. */
  const whose = (c: number) => (line === 'parts' ? wholeRegion : c);
  const basis = line === 'parts' ? 'shelf_adjusted' : line;
  const last = window.length - 1;
  const placeOf = new Map(window.map(({ start }, place) => [start, place]));
  /** Logarithms of Jevons indices to each period of the window from the earlier ones. */
  const sinceEarlier = window.map(({ since }, to) => window.slice(0, to).map(({ start }) => since.get(start)![line]));
  /** The same for one category at a time, from each period to each other: row `to`, column `from`. */
  const logs = window.map(() => new Float64Array(window.length));
  for (const c of categories) {
    readLogs(c);
    for (const [baseStart, end] of seriesOf(whose(c))) {
      const base = placeOf.get(baseStart);
      if (base !== undefined) reviseFromBase(c, base, end);
      else if (end === last) spliceLast(c);
    }
  }

  function readLogs(c: number): void {
    for (const [to, row] of logs.entries()) {
      row[to] = window[to]!.priced[basis][whose(c)]! > 0 ? 0 : Number.NaN;
      for (let from = 0; from < to; from++) {
        row[from] = sinceEarlier[to]![from]![c]!;
        logs[from]![to] = -row[from]!;
      }
    }
  }

  /** Bases of a category's series with the last index of the window in each. */
  function seriesOf(c: number): Map<string, number> {
    const series = new Map<string, number>();
    for (const [place, { baseStart }] of window.entries()) if (baseStart[c] !== '') series.set(baseStart[c]!, place);
    return series;
  }

  function reviseFromBase(c: number, base: number, end: number): void {
    for (let s = base; s <= end; s++) {
      const period = window[s]!;
      if (period.baseStart[whose(c)] !== window[base]!.start) continue;
      const value = s === base ? 0 : movement(base, s, end);
      const before = period.geks[line][c]!;
      if (Object.is(before, value) || Math.abs(before - value) < sameLog) continue;
      period.geks[line][c] = value;
      if (s !== last) revised.add(period);
    }
  }

  function spliceLast(c: number): void {
    const { baseStart, geks } = window[last]!;
    let [sum, count] = [0, 0];
    for (let s = 0; s < last; s++) {
      if (window[s]!.baseStart[whose(c)] !== baseStart[whose(c)]) continue;
      const value = window[s]!.geks[line][c]! + movement(s, last, last);
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    geks[line][c] = sum / count;
  }

  /**
   * Logarithm of the GEKS index between two periods: mean over all periods up to `end` that both can be compared with.
   */
  function movement(from: number, to: number, end: number): number {
    const [after, before] = [logs[to]!, logs[from]!];
    let [sum, count] = [0, 0];
    for (let k = 0; k <= end; k++) {
      const value = after[k]! - before[k]!;
      if (Number.isNaN(value)) continue;
      sum += value;
      count++;
    }
    return sum / count;
  }
}

const noLogs = (categories: number) => new Float64Array(categories).fill(Number.NaN);

/** Values of a period that is still to be computed. */
export const noValues = (categories: number): Pick<Published, 'chained' | 'geks' | 'variance'> => ({
  chained: ofBases(() => noLogs(categories)),
  geks: { ...ofBases(() => noLogs(categories)), parts: noLogs(categories) },
  variance: ofBases(() => noLogs(categories)),
});

export const noCounts = (categories: number): CountsOfBases => ofBases(() => new Int32Array(categories));
