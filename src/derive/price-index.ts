import type { CategoryGroups } from './category-groups.ts';
import { type ComparisonsState, createComparisons } from './comparisons.ts';
import { blankPeriod, countMoves, type IndexedPeriod, meanOf, type Published } from './indexed-period.ts';
import { bases, type ComparedPeriod, comparedPanel, type Panel, type PriceBasis } from './panel.ts';
import type { Comparison } from './relatives.ts';

/** Logarithms nearer than this are one value: what was kept went through an index value and back. */
const sameLog = 1e-12;

/** A column, and the sign to take it with. */
type SignedColumn = readonly [Float64Array, 1 | -1];

/** Logarithms of the Jevons indices from an earlier period, by dense category number; NaN where nothing matched. */
export type LogJevons = Readonly<Record<PriceBasis, Float64Array>>;

/** A period of the window, and how it compares with those before it, by their starts. */
export interface WindowPeriod {
  readonly period: ComparedPeriod;
  readonly published: Published;
  readonly since: ReadonlyMap<string, LogJevons>;
}

/** Where an indexer stands: the next one goes on from there as if it were the same. */
export interface IndexerState {
  /** Of the window, the earliest first. */
  readonly periods: readonly WindowPeriod[];
  /** How the last one, or the next as far as it was known, compares with the others. */
  readonly comparisons: ComparisonsState;
}

export interface PriceIndexer {
  /**
   * Adds the next period. Returns its values; those of earlier periods that it revises are changed in place. `changed`: the places
   * at which it may differ from the latest panel, where that is known.
   */
  push(panel: Panel, changed?: Int32Array | null): IndexedPeriod;
  /** Earlier periods whose GEKS values have changed since they were first returned or given. */
  readonly revised: ReadonlySet<Published>;
  state(): IndexerState | null;
}

export interface IndexerOptions {
  /** How many periods are compared with one another at once. */
  readonly window: number;
  readonly groups: CategoryGroups;
  /** The panel of a base period that is no longer in the window, at least with the products of its categories. */
  basePanel(start: string): Panel;
  /** Periods to go on from, the earliest first: at most `window` - 1. They are compared again. */
  readonly earlier?: readonly { readonly panel: Panel; readonly published: Published }[];
  /** Instead of them, where an indexer stood. */
  readonly from?: IndexerState;
}

interface Entry extends WindowPeriod {
  readonly start: string;
  /** With itself: 0 where there is a price, NaN where there is none. */
  readonly self: Float64Array;
  /** What the categories' values refer to; known once the next period is pushed. */
  bases: ReadonlySet<string> | null;
}

/**
 * Computes Jevons indices, chained and with a fixed base, GEKS-Jevons with mean splice on the published series, and the naive
 * index of mean prices, for all categories at once, period after period.
 *
 * A category's chain is linked to the latest period of the window that shares a product with this one, so that it outlives
 * periods without a price. Where there is none, a new series begins: all its values are 100 and its base is this period.
 */
export function createPriceIndexer({
  window,
  groups,
  basePanel,
  earlier = [],
  from: state,
}: IndexerOptions): PriceIndexer {
  const entries: Entry[] = (state?.periods ?? []).map(entryOf);
  const comparisons = createComparisons(groups, state?.comparisons);
  /** Of the last period with those before it. */
  let withEarlier: ReadonlyMap<string, Comparison> = new Map();
  const basePeriods = new Map<string, ComparedPeriod>();
  const revised = new Set<Published>();
  for (const { panel, published } of earlier) add(panel, published);
  let isFirst = true;

  function add(panel: Panel, published: Published, changed: Int32Array | null = null): void {
    comparisons.next(panel, changed, periodOf);
    withEarlier = new Map(entries.map(({ start }) => [start, comparisons.with(start)!]));
    const since = new Map([...withEarlier].map(([start, { of }]) => [start, logJevonsOf(of)]));
    entries.push(entryOf({ period: comparedPanel(panel), published, since }));
  }

  function periodOf(start: string): ComparedPeriod {
    return entries.find((entry) => entry.start === start)?.period ?? basePeriod(start);
  }

  function basePeriod(start: string): ComparedPeriod {
    const period = basePeriods.get(start) ?? comparedPanel(basePanel(start));
    basePeriods.set(start, period);
    return period;
  }

  return {
    revised,
    state() {
      const stands = comparisons.state();
      return stands && { periods: entries, comparisons: stands };
    },
    push(panel, changed) {
      while (entries.length >= window) entries.shift();
      comparisons.keepOnly(inUse());
      const previous = entries.at(-1) ?? null;
      const period = blankPeriod(panel, groups.categoryKeys.length, previous !== null);
      add(panel, period, changed);
      for (let c = 0; c < period.priced.length; c++) {
        if (previous) countMoves(period, previous.period, withEarlier.get(previous.start)!, c);
        if (at(panel.priced, c) > 0) chain(period, c);
      }
      for (const basis of bases) {
        spliceGeks(basis);
        if (isFirst) takeBackRevisions(basis);
      }
      isFirst = false;
      compareWithBase(period, panel);
      return period;
    },
  };

  /** The periods of the window, and those that are their base. */
  function inUse(): Set<string> {
    const used = new Set<string>();
    for (const entry of entries) {
      entry.bases ??= new Set(entry.published.baseStart);
      used.add(entry.start);
      for (const start of entry.bases) used.add(start);
    }
    return used;
  }

  /**
   * Links the category to what it was last, and thereby finds its base: by shelf prices, or, where all of those moved beyond
   * comparison, by what members pay. Both prices have one series, so that the other one is linked within it or not at all.
   */
  function chain(period: IndexedPeriod, c: number): void {
    const now = entries.at(-1)!;
    const base = (latestMatch(c, 'shelf') ?? latestMatch(c, 'member'))?.published.baseStart[c];
    period.baseStart[c] = base ?? period.start;
    for (const basis of bases) {
      if (base === undefined) {
        period.chained[basis][c] = 0;
        period.matched[basis][c] = at(now.period.priced, c);
        continue;
      }
      const linked = latestMatch(c, basis, base);
      if (!linked) continue;
      const relatives = withEarlier.get(linked.start)!.of[basis];
      period.chained[basis][c] = linked.published.chained[basis][c]! + relatives.logJevons[c]!;
      period.matched[basis][c] = relatives.matched[c]!;
      period.outliers[basis][c] = relatives.outliers[c]!;
    }
  }

  /** The latest period, of one series where that is named, with which the category can be compared. */
  function latestMatch(c: number, basis: PriceBasis, base?: string): Entry | null {
    for (let k = entries.length - 2; k >= 0; k--) {
      const { start, published } = entries[k]!;
      if (at(withEarlier.get(start)!.of[basis].matched, c) === 0) continue;
      if (base !== undefined && published.baseStart[c] !== base) continue;
      if (published.baseStart[c] && defined(published.chained[basis][c])) return entries[k]!;
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
    const toLast = jevonsTo(basis, last);
    for (let s = 0; s < last; s++) {
      const then = entries[s]!.published;
      const moved = movement(jevonsTo(basis, s), toLast);
      for (let c = 0; c < moved.length; c++) {
        if (then.baseStart[c] !== baseStart[c]) continue;
        const said = then.geks[basis][c]! + moved[c]!;
        if (!defined(said)) continue;
        sum[c]! += said;
        count[c]!++;
      }
    }
    for (const [c, start] of baseStart.entries()) if (start && count[c]! > 0) geks[basis][c] = sum[c]! / count[c]!;
    const byBase = series(entries[last]!.published);
    for (let b = 0; b <= last; b++) {
      const ofBase = byBase.get(entries[b]!.start);
      if (ofBase) reviseFrom(basis, b, ofBase);
    }
  }

  /** The categories whose base is this entry of the window. */
  function reviseFrom(basis: PriceBasis, b: number, categories: readonly number[]): void {
    const last = entries.length - 1;
    const base = entries[b]!;
    const toBase = jevonsTo(basis, b);
    for (let s = b; s <= last; s++) {
      const { published } = entries[s]!;
      const moved = s === b ? null : movement(toBase, jevonsTo(basis, s));
      let isRevised = false;
      for (const c of categories) {
        if (published.baseStart[c] !== base.start) continue;
        const value = moved ? moved[c]! : 0;
        if (Object.is(published.geks[basis][c], value)) continue;
        published.geks[basis][c] = value;
        isRevised = true;
      }
      if (isRevised && s !== last) revised.add(published);
    }
  }

  /**
   * What was known before of the period that is pushed first may have carried on series that have ended without it, and so revised
   * what was published of them. They are what they were with the last period that has them.
   */
  function takeBackRevisions(basis: PriceBasis): void {
    for (const { b, end, categories } of endedSeries()) {
      const toBase = jevonsTo(basis, b, end);
      for (let s = b + 1; s <= end; s++) {
        const { published } = entries[s]!;
        const toThen = jevonsTo(basis, s, end);
        for (const c of categories) {
          if (published.baseStart[c] !== entries[b]!.start) continue;
          const value = movementOf(c, toBase, toThen);
          const before = published.geks[basis][c]!;
          if (Object.is(before, value) || Math.abs(before - value) < sameLog) continue;
          published.geks[basis][c] = value;
          revised.add(published);
        }
      }
    }
  }

  /** Series whose base is in the window and that the last period does not have, by their base and the last period that has them. */
  function endedSeries(): Iterable<{ readonly b: number; readonly end: number; readonly categories: number[] }> {
    const last = entries.length - 1;
    const places = new Map(entries.map(({ start }, place) => [start, place]));
    const found = new Map<string, { b: number; end: number; categories: number[] }>();
    for (const [c, current] of entries[last]!.published.baseStart.entries()) {
      const seen = new Set(['', current]);
      for (let end = last - 1; end >= 0; end--) {
        const start = entries[end]!.published.baseStart[c]!;
        if (seen.has(start)) continue;
        seen.add(start);
        const b = places.get(start);
        if (b === undefined) continue;
        const key = `${b} ${end}`;
        const same = found.get(key);
        if (same) same.categories.push(c);
        else found.set(key, { b, end, categories: [c] });
      }
    }
    return found.values();
  }

  /** Logarithms of the Jevons indices to one period of the window from every one, or from those up to an end. */
  function jevonsTo(basis: PriceBasis, to: number, end = entries.length - 1): readonly SignedColumn[] {
    const later = entries[to]!;
    return entries.slice(0, end + 1).map((entry, from) => {
      if (from === to) return [later.self, 1];
      return from < to ? [later.since.get(entry.start)![basis], 1] : [entry.since.get(later.start)![basis], -1];
    });
  }

  function compareWithBase(period: IndexedPeriod, panel: Panel): void {
    for (const [start, categories] of series(period)) {
      const comparison =
        start === panel.start
          ? null
          : (withEarlier.get(start) ?? comparisons.with(start) ?? comparisons.compareWith(basePanel(start)));
      const base = periodOf(start);
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

/**
 * Logarithm of the window's GEKS index from one period to a later one, by category: the mean over all periods that both can be
 * compared with, of which entry k of both is the kth.
 */
function movement(here: readonly SignedColumn[], there: readonly SignedColumn[]): Float64Array {
  const mean = new Float64Array(there[0]![0].length);
  // Added up without a look at each: what cannot be compared with all of them shows in the sum, and is then added up with care.
  for (let k = 0; k < there.length; k++) addMovement(mean, there[k]!, here[k]!);
  for (let c = 0; c < mean.length; c++)
    mean[c] = Number.isNaN(mean[c]!) ? movementOf(c, here, there) : mean[c]! / there.length;
  return mean;
}

/** The same of one category. */
function movementOf(c: number, here: readonly SignedColumn[], there: readonly SignedColumn[]): number {
  let sum = 0;
  let count = 0;
  for (const [k, [after, afterSign]] of there.entries()) {
    const [before, beforeSign] = here[k]!;
    const value = afterSign * after[c]! - beforeSign * before[c]!;
    if (Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return count === 0 ? Number.NaN : sum / count;
}

/** Adds the first less the second. A loop for each sign, as products would take longer. */
function addMovement(sum: Float64Array, [there, thereSign]: SignedColumn, [here, hereSign]: SignedColumn): void {
  const { length } = sum;
  if (thereSign === 1 && hereSign === 1) for (let c = 0; c < length; c++) sum[c]! += there[c]! - here[c]!;
  else if (thereSign === 1) for (let c = 0; c < length; c++) sum[c]! += there[c]! + here[c]!;
  else if (hereSign === 1) for (let c = 0; c < length; c++) sum[c]! += -there[c]! - here[c]!;
  else for (let c = 0; c < length; c++) sum[c]! += here[c]! - there[c]!;
}

function entryOf(of: WindowPeriod): Entry {
  const self = Float64Array.from(of.period.priced, (count) => (count > 0 ? 0 : Number.NaN));
  return { ...of, start: of.period.start, self, bases: null };
}

/** Categories by the start of their base. */
function series({ baseStart }: Published): Map<string, number[]> {
  const byBase = new Map<string, number[]>();
  for (const [c, start] of baseStart.entries()) {
    if (start === '') continue;
    const categories = byBase.get(start);
    if (categories) categories.push(c);
    else byBase.set(start, [c]);
  }
  return byBase;
}

const logJevonsOf = (of: Comparison['of']): LogJevons => ({ shelf: of.shelf.logJevons, member: of.member.logJevons });

const at = (column: Int32Array, c: number): number => column[c] ?? 0;

/** Not NaN, and not missing. */
const defined = (value: number | undefined): boolean => value !== undefined && !Number.isNaN(value);
