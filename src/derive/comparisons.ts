import type { CategoryGroups } from './category-groups.ts';
import { rollUp } from './daily-figures.ts';
import { bases, type ComparedPeriod, type Panel, type PriceBasis, type PricesAt, pricesAt } from './panel.ts';
import {
  addRelatives,
  type BasisSums,
  type Comparison,
  changedPlaces,
  coarseOf,
  compare,
  compareWithItself,
  comparisonOf,
  type RelativeSums,
  widest,
} from './relatives.ts';

/** How the latest of a row of periods compares with earlier ones. */
export interface Comparisons {
  /**
   * Puts a panel in the place of the latest, which becomes one of the earlier ones when it is of another period. `changed`: the
   * places at which they may differ, where that is known; `periodOf`: what was there in the earlier periods, by their starts.
   */
  next(panel: Panel, changed: Int32Array | null, periodOf: (start: string) => ComparedPeriod): void;
  /** With an earlier period; undefined where it was not compared. */
  with(start: string): Comparison | undefined;
  /** Compares the latest with a period of which there was no comparison; from then on it is brought forward as the others. */
  compareWith(earlier: Panel): Comparison;
  /** Keeps comparisons with these periods only. */
  keepOnly(starts: ReadonlySet<string>): void;
  /** Another one can go on from here. Null: there is no latest yet. */
  state(): ComparisonsState | null;
}

/** Where comparisons stand. */
export interface ComparisonsState {
  readonly latest: Panel;
  /** By the starts of the earlier periods. */
  readonly sums: ReadonlyMap<string, RelativeSums>;
}

interface EarlierPeriod {
  readonly start: string;
  /** Counts the periods that were the latest here, from 0; those of the state that this went on from end with -1. */
  readonly number: number;
  readonly sums: RelativeSums;
}

interface Latest {
  readonly panel: Panel;
  readonly number: number;
  readonly steadiness: Steadiness;
  /** With itself: nothing has moved, so a new price alone changes none of it. */
  readonly itself: RelativeSums;
}

/** What differs between the latest and the panel in its place: row n is what was and is at the nth place. */
interface Moved {
  readonly places: Int32Array;
  readonly from: PricesAt;
  readonly to: PricesAt;
}

/** By how much logarithms of prices have moved, in the two parts of their sums. */
type MovedSums = Pick<BasisSums, 'coarse' | 'fine'>;

/** By group: products are many times as many as the groups they are in. */
type Moves = Readonly<Record<PriceBasis, MovedSums>>;

/** Before all others, in no row with them. */
const unnumbered = -(2 ** 31);
/** Of the periods before the first that was the latest here. */
const lastOfState = -1;
const never = 2 ** 31 - 1;

/**
 * Brings comparisons forward at the cost of what changed. Where a product had a price, in the same categories, in all periods
 * since some period, and its prices stayed well within the fences, a new price moves the sums of its relatives to all of these by
 * the same amount: it is worked out once for all of them. Elsewhere what it adds to each comparison is taken out and put in again.
 */
export function createComparisons(groups: CategoryGroups, state?: ComparisonsState): Comparisons {
  const categories = groups.categoryKeys.length;
  /** The earliest first. */
  let earlier: EarlierPeriod[] = [...(state?.sums ?? [])].map(([start, sums], k, { length }) => ({
    start,
    number: k - length,
    sums,
  }));
  // How steady prices were before is found out of those that move.
  let latest = state ? latestOf(state.latest, groups, lastOfState) : null;

  function next(panel: Panel, changed: Int32Array | null, periodOf: (start: string) => ComparedPeriod): void {
    if (!latest) {
      latest = latestOf(panel, groups, unnumbered);
      return;
    }
    const { panel: last, number, itself } = latest;
    const places = changedPlaces(last, panel, changed);
    const seen = survey(latest, places, periodOf);
    const moved = { places, from: pricesAt(last, places), to: pricesAt(panel, places) };
    if (last.start === panel.start) latest = { ...latest, panel };
    else {
      earlier.push({ start: last.start, number, sums: copyOf(itself) });
      latest = { ...latest, panel, number: number + 1 };
    }
    const { moves, apart } = sortOut(latest, moved);
    moveAll(moves);
    for (const [k, rows] of apart.entries()) if (rows.length > 0) moveEach(earlier[k]!, rows, moved, seen, periodOf);
  }

  /**
   * Finds out how steady prices were in the periods of the state, of places at which that is not known yet. Returns what was at all
   * the places in those periods, by their starts, where none of them was known: mostly that is one night by itself.
   */
  function survey(
    { panel, steadiness }: Latest,
    places: Int32Array,
    periodOf: (start: string) => ComparedPeriod,
  ): ReadonlyMap<string, PricesAt> {
    const { since, lastBefore, least, most } = steadiness;
    const unknown = places.filter((i) => lastBefore[i] === lastOfState);
    const seen = new Map<string, PricesAt>();
    if (unknown.length === 0) return seen;
    for (let n = 0; n < unknown.length; n++) lastBefore[unknown[n]!] = unnumbered;
    for (const { start, number } of earlier.toReversed()) {
      if (number > lastOfState || number === unnumbered) continue;
      const then = periodOf(start).pricesAt(unknown);
      seen.set(start, then);
      for (let n = 0; n < unknown.length; n++) {
        if (Number.isNaN(then.shelf[n]!)) continue;
        const i = unknown[n]!;
        const low = Math.min(least[i]!, then.shelf[n]!, then.member[n]!);
        const high = Math.max(most[i]!, then.shelf[n]!, then.member[n]!);
        if (since[i] === number + 1 && then.group[n] === panel.group[i] && high - low <= withinFences) {
          since[i] = number;
          least[i] = low;
          most[i] = high;
        } else if (lastBefore[i]! < number) lastBefore[i] = number;
      }
    }
    return unknown.length === places.length ? seen : new Map();
  }

  /** Which changes move all comparisons since some period alike, and which rows each comparison has to look at by itself. */
  function sortOut({ number, steadiness, itself }: Latest, { places, from, to }: Moved) {
    const moves = earlier.map((): Moves | null => null);
    const apart = earlier.map((): number[] => []);
    const { since, lastBefore, least, most } = steadiness;
    const firstSince = (period: number): number => {
      let k = 0;
      while (k < earlier.length && earlier[k]!.number < period) k++;
      return k;
    };
    for (let n = 0; n < places.length; n++) {
      const i = places[n]!;
      for (let k = 0; k < earlier.length && earlier[k]!.number <= lastBefore[i]!; k++)
        if (earlier[k]!.number < since[i]!) apart[k]!.push(n);
      const k = firstSince(since[i]!);
      const low = Math.min(least[i]!, to.shelf[n]!, to.member[n]!);
      const high = Math.max(most[i]!, to.shelf[n]!, to.member[n]!);
      if (from.group[n] === to.group[n] && high - low <= withinFences) {
        least[i] = low;
        most[i] = high;
        if (k === earlier.length) continue;
        moves[k] ??= createMoves(groups.size());
        const group = to.group[n]!;
        addMove(moves[k].shelf, group, from.shelf[n]!, to.shelf[n]!);
        addMove(moves[k].member, group, from.member[n]!, to.member[n]!);
        continue;
      }
      for (let each = k; each < earlier.length; each++) apart[each]!.push(n);
      addRelatives(itself, { earlier: from, e: n, later: from, l: n }, groups, -1);
      addRelatives(itself, { earlier: to, e: n, later: to, l: n }, groups, 1);
      const wasPriced = !Number.isNaN(from.shelf[n]!);
      if (wasPriced) lastBefore[i] = number - 1;
      begin(steadiness, i, number, to.shelf[n]!, to.member[n]!);
    }
    return { moves, apart };
  }

  /** The nth of the moves holds for the nth comparison and all after it. */
  function moveAll(moves: readonly (Moves | null)[]): void {
    for (const basis of bases) {
      let sum: MovedSums | null = null;
      for (const [k, { sums }] of earlier.entries()) {
        const byGroup = moves[k]?.[basis];
        const more = byGroup && {
          coarse: rollUp(byGroup.coarse, groups, categories),
          fine: rollUp(byGroup.fine, groups, categories),
        };
        if (more && sum) addTo(more, sum);
        sum = more ?? sum;
        if (sum) addTo(sums[basis], sum);
      }
    }
  }

  function moveEach(
    { start, sums }: EarlierPeriod,
    rows: readonly number[],
    { places, from, to }: Moved,
    seen: ReadonlyMap<string, PricesAt>,
    periodOf: (start: string) => ComparedPeriod,
  ): void {
    const known = seen.get(start);
    const then = known ?? periodOf(start).pricesAt(Int32Array.from(rows, (n) => places[n]!));
    for (const [row, l] of rows.entries()) {
      const e = known ? l : row;
      addRelatives(sums, { earlier: then, e, later: from, l }, groups, -1);
      addRelatives(sums, { earlier: then, e, later: to, l }, groups, 1);
    }
  }

  return {
    next,
    state: () => latest && { latest: latest.panel, sums: new Map(earlier.map(({ start, sums }) => [start, sums])) },
    with(start) {
      const found = earlier.find((each) => each.start === start);
      return found && comparisonOf(found.sums);
    },
    compareWith(base) {
      const sums = compare(base, latest!.panel, groups);
      earlier.unshift({ start: base.start, number: unnumbered, sums });
      return comparisonOf(sums);
    },
    keepOnly(starts) {
      earlier = earlier.filter(({ start }) => starts.has(start));
    },
  };
}

/** `lastBefore`: the last period before it in which any product may have had a price. */
function latestOf(panel: Panel, groups: CategoryGroups, lastBefore: number): Latest {
  const steadiness = createSteadiness(panel, lastBefore);
  return { panel, number: 0, steadiness, itself: compareWithItself(panel, groups) };
}

function createMoves(size: number): Moves {
  const ofBasis = () => ({ coarse: new Float64Array(size), fine: new Float64Array(size) });
  return { shelf: ofBasis(), member: ofBasis() };
}

function addMove({ coarse, fine }: MovedSums, group: number, then: number, now: number): void {
  if (then === now) return;
  const large = coarseOf(now) - coarseOf(then);
  coarse[group]! += large;
  fine[group]! += now - then - large;
}

/** A product's prices may be so far apart: a little less than the fences, as they are kept with less precision. */
const withinFences = widest - 1e-5;

/** By place. */
interface Steadiness {
  /** The first of the periods in a row in which the product had a price, in the same categories; `never` without a price. */
  readonly since: Int32Array;
  /** The last period before those in which it may have had one. */
  readonly lastBefore: Int32Array;
  /** Least and greatest logarithm of its prices since. */
  readonly least: Float32Array;
  readonly most: Float32Array;
}

function createSteadiness({ log: { shelf, member } }: Panel, lastBefore: number): Steadiness {
  const { length } = shelf;
  const steadiness = {
    since: new Int32Array(length),
    lastBefore: new Int32Array(length).fill(lastBefore),
    least: new Float32Array(length),
    most: new Float32Array(length),
  };
  for (let i = 0; i < length; i++) begin(steadiness, i, 0, shelf[i]!, member[i]!);
  return steadiness;
}

function begin({ since, least, most }: Steadiness, i: number, period: number, shelf: number, member: number): void {
  since[i] = Number.isNaN(shelf) ? never : period;
  least[i] = Math.min(shelf, member);
  most[i] = Math.max(shelf, member);
}

function addTo({ coarse, fine }: MovedSums, more: MovedSums): void {
  for (let c = 0; c < coarse.length; c++) {
    coarse[c]! += more.coarse[c]!;
    fine[c]! += more.fine[c]!;
  }
}

function copyOf({ both, shelf, member }: RelativeSums): RelativeSums {
  const ofBasis = ({ matched, coarse, fine }: BasisSums): BasisSums => ({
    matched: matched.slice(),
    coarse: coarse.slice(),
    fine: fine.slice(),
  });
  return { both: both.slice(), shelf: ofBasis(shelf), member: ofBasis(member) };
}
