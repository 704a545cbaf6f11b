import type { CategoryGroups } from './category-groups.ts';
import { bases, type ComparedPeriod, type Panel, type PricesAt, pricesAt } from './panel.ts';
import {
  addRelatives,
  type BasisSums,
  type Comparison,
  changedPlaces,
  coarseOf,
  compare,
  compareWithItself,
  comparisonOf,
  createSums,
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
  /** Counts the periods that were the latest here; `unnumbered` where it was one of those before them. */
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

/** Before all others. */
const unnumbered = -(2 ** 31);
const never = 2 ** 31 - 1;

/**
 * Brings comparisons forward at the cost of what changed. Where a product had a price, in the same categories, in all periods
 * since some period, and its prices stayed well within the fences, a new price moves the sums of its relatives to all of these by
 * the same amount: it is worked out once for all of them. Elsewhere what it adds to each comparison is taken out and put in again.
 */
export function createComparisons(groups: CategoryGroups, state?: ComparisonsState): Comparisons {
  const categories = groups.categoryKeys.length;
  /** The earliest first. */
  let earlier: EarlierPeriod[] = [...(state?.sums ?? [])].map(([start, sums]) => ({ start, number: unnumbered, sums }));
  let latest = state ? latestOf(state.latest, groups) : null;
  /** Periods that went on from a state of which nothing more is known. */
  let untilSurvey = state ? periodsUntilSurvey : 0;

  function next(panel: Panel, changed: Int32Array | null, periodOf: (start: string) => ComparedPeriod): void {
    if (!latest) {
      latest = latestOf(panel, groups);
      return;
    }
    if (untilSurvey > 0 && --untilSurvey === 0) survey(latest, periodOf);
    const { panel: last, number, itself } = latest;
    const places = changedPlaces(last, panel, changed);
    const moved = { places, from: pricesAt(last, places), to: pricesAt(panel, places) };
    if (last.start === panel.start) latest = { ...latest, panel };
    else {
      earlier.push({ start: last.start, number, sums: copyOf(itself) });
      latest = { ...latest, panel, number: number + 1 };
    }
    const { moves, apart } = sortOut(latest, moved);
    moveAll(moves);
    for (const [k, rows] of apart.entries()) if (rows.length > 0) moveEach(earlier[k]!, rows, moved, periodOf);
  }

  /** Finds out how steady prices were in the periods that were compared before this began. */
  function survey({ panel, number, steadiness }: Latest, periodOf: (start: string) => ComparedPeriod): void {
    earlier = earlier.map((each, k) => ({ ...each, number: number - earlier.length + k }));
    const { since, lastBefore, least, most } = steadiness;
    const places = Int32Array.from(since.keys());
    for (const i of places) begin(steadiness, i, number, panel.log.shelf[i]!, panel.log.member[i]!);
    for (const { start, number: then } of [...earlier].reverse()) {
      const { shelf, member, group } = periodOf(start).pricesAt(places);
      for (const i of places) {
        if (Number.isNaN(shelf[i]!)) continue;
        const low = Math.min(least[i]!, shelf[i]!, member[i]!);
        const high = Math.max(most[i]!, shelf[i]!, member[i]!);
        if (since[i] === then + 1 && group[i] === panel.group[i] && high - low <= withinFences) {
          since[i] = then;
          least[i] = low;
          most[i] = high;
        } else if (lastBefore[i]! < then) lastBefore[i] = then;
      }
    }
  }

  /** Which changes move all comparisons since some period alike, and which rows each comparison has to look at by itself. */
  function sortOut({ number, steadiness, itself }: Latest, { places, from, to }: Moved) {
    const moves = earlier.map((): RelativeSums | null => null);
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
        moves[k] ??= createSums(categories);
        addMove(moves[k], from, to, n);
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

  function addMove(moves: RelativeSums, from: PricesAt, to: PricesAt, n: number): void {
    const members = groups.members(to.group[n]!);
    for (const basis of bases) {
      const [then, now] = [from[basis][n]!, to[basis][n]!];
      if (then === now) continue;
      const large = coarseOf(now) - coarseOf(then);
      const small = now - then - large;
      const { coarse, fine } = moves[basis];
      for (let m = 0; m < members.length; m++) {
        coarse[members[m]!]! += large;
        fine[members[m]!]! += small;
      }
    }
  }

  /** The nth of the moves holds for the nth comparison and all after it. */
  function moveAll(moves: readonly (RelativeSums | null)[]): void {
    let sum: RelativeSums | null = null;
    for (const [k, { sums }] of earlier.entries()) {
      const more = moves[k];
      if (more && sum) addTo(more, sum);
      sum = more ?? sum;
      if (sum) addTo(sums, sum);
    }
  }

  function moveEach(
    { start, sums }: EarlierPeriod,
    rows: readonly number[],
    { places, from, to }: Moved,
    periodOf: (start: string) => ComparedPeriod,
  ): void {
    const earlierPrices = periodOf(start).pricesAt(Int32Array.from(rows, (n) => places[n]!));
    for (const [e, l] of rows.entries()) {
      addRelatives(sums, { earlier: earlierPrices, e, later: from, l }, groups, -1);
      addRelatives(sums, { earlier: earlierPrices, e, later: to, l }, groups, 1);
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

/** Looking at all prices of all periods does not pay for one or two nights. */
const periodsUntilSurvey = 3;

function latestOf(panel: Panel, groups: CategoryGroups): Latest {
  return { panel, number: 0, steadiness: createSteadiness(panel), itself: compareWithItself(panel, groups) };
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

function createSteadiness({ log: { shelf, member } }: Panel): Steadiness {
  const { length } = shelf;
  const steadiness = {
    since: new Int32Array(length),
    lastBefore: new Int32Array(length).fill(unnumbered),
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

function addTo(into: RelativeSums, more: RelativeSums): void {
  for (const basis of bases) addColumns(into[basis], more[basis]);
}

function addColumns({ coarse, fine }: BasisSums, more: BasisSums): void {
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
