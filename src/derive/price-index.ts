import type { CategoryGroups } from './category-groups.ts';
import { bases, type Panel, type PriceBasis } from './panel.ts';
import { type Comparing, type Comparison, changedPlaces, compare } from './relatives.ts';

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

export interface PriceIndexer {
  /** Adds the next period. Returns its values; those of earlier periods that it revises are changed in place. */
  push(panel: Panel): IndexedPeriod;
  /** Earlier periods whose GEKS values have changed since they were first returned or given. */
  readonly revised: ReadonlySet<Published>;
  /** The periods that the next one will be compared with. */
  readonly window: readonly Panel[];
}

export interface IndexerOptions {
  /** How many periods are compared with one another at once. */
  readonly window: number;
  readonly groups: CategoryGroups;
  /** The panel of a base period that is no longer in the window, at least with the products of its categories. */
  basePanel(start: string): Panel;
  /** Periods to go on from, the earliest first: at most `window` - 1. */
  readonly earlier?: readonly { readonly panel: Panel; readonly published: Published }[];
}

interface Entry {
  readonly panel: Panel;
  readonly published: Published;
  /** With each earlier entry of the window, by its panel. */
  readonly with: Map<Panel, Comparison>;
  /** With itself: 0 where there is a price, NaN where there is none. */
  readonly self: Float64Array;
}

/**
 * Computes Jevons indices, chained and with a fixed base, GEKS-Jevons with mean splice on the published series, and the naive
 * index of mean prices, for all categories at once, period after period.
 *
 * A category's chain is linked to the latest period of the window that shares a product with this one, so that it outlives
 * periods without a price. Where there is none, a new series begins: all its values are 100 and its base is this period.
 */
export function createPriceIndexer({ window, groups, basePanel, earlier = [] }: IndexerOptions): PriceIndexer {
  const entries: Entry[] = [];
  /** Of panels with the latest one. */
  const comparing = new Map<Panel, Comparing>();
  const revised = new Set<Published>();
  for (const { panel, published } of earlier) add(panel, published);

  function add(panel: Panel, published: Published): Entry {
    const last = entries.at(-1);
    if (last) {
      const changed = changedPlaces(last.panel, panel);
      for (const each of comparing.values()) each.moveTo(last.panel, panel, changed);
      comparing.set(last.panel, compare(last.panel, panel, groups));
    }
    const comparisons = new Map(entries.map((entry) => [entry.panel, comparing.get(entry.panel)!.comparison()]));
    const self = Float64Array.from(panel.priced, (count) => (count > 0 ? 0 : Number.NaN));
    const entry = { panel, published, with: comparisons, self };
    entries.push(entry);
    return entry;
  }

  return {
    revised,
    get window() {
      return entries.slice(-(window - 1)).map(({ panel }) => panel);
    },
    push(panel) {
      while (entries.length >= window) forget(entries.shift()!);
      const previous = entries.at(-1) ?? null;
      const period = blank(panel, groups.categoryKeys.length, previous !== null);
      const { with: comparisons } = add(panel, period);
      for (let c = 0; c < period.priced.length; c++) {
        if (previous) countMoves(period, previous.panel, comparisons.get(previous.panel)!, c);
        if (at(panel.priced, c) > 0) chain(period, c);
      }
      for (const basis of bases) spliceGeks(basis);
      compareWithBase(period, panel);
      return period;
    },
  };

  function forget(entry: Entry): void {
    for (const { with: comparisons } of entries) comparisons.delete(entry.panel);
    comparing.delete(entry.panel);
  }

  /** Links the category to what it was last, and thereby finds its base. */
  function chain(period: IndexedPeriod, c: number): void {
    const now = entries.at(-1)!;
    const link = latestMatch(now, c, 'shelf');
    period.baseStart[c] = link?.published.baseStart[c] || period.start;
    for (const basis of bases) {
      const from = basis === 'shelf' ? link : latestMatch(now, c, basis);
      if (!link) {
        period.chained[basis][c] = 0;
        period.matched[basis][c] = at(now.panel.priced, c);
        continue;
      }
      if (!from) continue;
      const relatives = now.with.get(from.panel)!.of[basis];
      period.chained[basis][c] = from.published.chained[basis][c]! + relatives.logJevons[c]!;
      period.matched[basis][c] = relatives.matched[c]!;
      period.outliers[basis][c] = relatives.outliers[c]!;
    }
  }

  function latestMatch(now: Entry, c: number, basis: PriceBasis): Entry | null {
    for (let k = entries.length - 2; k >= 0; k--) {
      const entry = entries[k]!;
      if (at(now.with.get(entry.panel)!.of[basis].matched, c) === 0) continue;
      if (entry.published.baseStart[c] && defined(entry.published.chained[basis][c])) return entry;
    }
    return null;
  }

  /**
   * While the base is in the window, the window is the whole book: all its values are what it says. Beyond that, published
   * values stay, and the new one is the geometric mean of what each of them and its movement since then say (ONS, 2022).
   */
  function spliceGeks(basis: PriceBasis): void {
    const last = entries.length - 1;
    const { baseStart, geks } = entries[last]!.published;
    const sum = new Float64Array(baseStart.length);
    const count = new Int32Array(baseStart.length);
    for (let s = 0; s < last; s++) {
      const then = entries[s]!.published;
      const moved = movement(basis, s, last);
      for (let c = 0; c < moved.length; c++) {
        if (then.baseStart[c] !== baseStart[c]) continue;
        const said = then.geks[basis][c]! + moved[c]!;
        if (!defined(said)) continue;
        sum[c]! += said;
        count[c]!++;
      }
    }
    for (const [c, start] of baseStart.entries()) if (start && count[c]! > 0) geks[basis][c] = sum[c]! / count[c]!;
    for (let b = 0; b <= last; b++) reviseFrom(basis, b);
  }

  /** Series whose base is this entry of the window. */
  function reviseFrom(basis: PriceBasis, b: number): void {
    const last = entries.length - 1;
    const base = entries[b]!;
    const { baseStart } = entries[last]!.published;
    const series = baseStart.flatMap((start, c) => (start === base.panel.start ? [c] : []));
    if (series.length === 0) return;
    for (let s = b; s <= last; s++) {
      const { published } = entries[s]!;
      const moved = s === b ? null : movement(basis, b, s);
      let isRevised = false;
      for (const c of series) {
        if (published.baseStart[c] !== base.panel.start) continue;
        const value = moved ? moved[c]! : 0;
        if (Object.is(published.geks[basis][c], value)) continue;
        published.geks[basis][c] = value;
        isRevised = true;
      }
      if (isRevised && s !== last) revised.add(published);
    }
  }

  /**
   * Logarithm of the window's GEKS index from one period to a later one, by category: the mean over all periods that both can
   * be compared with.
   */
  function movement(basis: PriceBasis, from: number, to: number): Float64Array {
    const sum = new Float64Array(groups.categoryKeys.length);
    const count = new Int32Array(sum.length);
    for (let k = 0; k < entries.length; k++) {
      const [there, thereSign] = jevons(basis, k, to);
      const [here, hereSign] = jevons(basis, k, from);
      for (let c = 0; c < sum.length; c++) {
        const value = thereSign * there[c]! - hereSign * here[c]!;
        if (Number.isNaN(value)) continue;
        sum[c]! += value;
        count[c]!++;
      }
    }
    return sum.map((total, c) => (count[c] === 0 ? Number.NaN : total / count[c]!));
  }

  /** Logarithms of the Jevons indices between two periods, and the sign to take them with. */
  function jevons(basis: PriceBasis, from: number, to: number): readonly [Float64Array, 1 | -1] {
    if (from === to) return [entries[to]!.self, 1];
    const [earlier, later] = from < to ? [from, to] : [to, from];
    return [entries[later]!.with.get(entries[earlier]!.panel)!.of[basis].logJevons, from < to ? 1 : -1];
  }

  /** With a base that is not in the window; from then on it is brought forward as those in it are. */
  function compareWith(base: Panel, panel: Panel): Comparison {
    const known = comparing.get(base) ?? compare(base, panel, groups);
    comparing.set(base, known);
    return known.comparison();
  }

  function compareWithBase(period: IndexedPeriod, panel: Panel): void {
    const now = entries.at(-1)!;
    const byBase = new Map<string, number[]>();
    for (const [c, start] of period.baseStart.entries()) {
      if (start) byBase.set(start, [...(byBase.get(start) ?? []), c]);
    }
    for (const [start, categories] of byBase) {
      const base = entries.find((entry) => entry.panel.start === start)?.panel ?? basePanel(start);
      const comparison = base === panel ? null : (now.with.get(base) ?? compareWith(base, panel));
      for (const c of categories) {
        for (const basis of bases) {
          const relatives = comparison?.of[basis];
          period.fixed[basis][c] = relatives ? (relatives.logJevons[c] ?? Number.NaN) : 0;
          period.fixedMatched[basis][c] = relatives ? at(relatives.matched, c) : at(panel.priced, c);
          period.mean[basis][c] = Math.log(meanOf(panel, basis, c) / meanOf(base, basis, c));
        }
      }
    }
  }
}

const at = (column: Int32Array, c: number): number => column[c] ?? 0;

/** Not NaN, and not missing. */
const defined = (value: number | undefined): boolean => value !== undefined && !Number.isNaN(value);

const meanOf = ({ priced, priceSum }: Panel, basis: PriceBasis, c: number): number => priceSum[basis][c]! / priced[c]!;

function countMoves({ arrivals, departures }: IndexedPeriod, previous: Panel, comparison: Comparison, c: number): void {
  const both = at(comparison.both, c);
  arrivals![c]! -= both;
  departures![c] = at(previous.priced, c) - both;
}

function blank(panel: Panel, categories: number, hasPrevious: boolean): IndexedPeriod {
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
