import type { CategoryGroups } from './category-groups.ts';
import { rollUp } from './daily-figures.ts';
import { bases, type Panel, type PriceBasis, type PricesAt, pricesAt } from './panel.ts';

/** Price relatives outside 0.1 to 10 are left out: fixed fences, as the ONS sets them for web-scraped prices. */
const widest = Math.log(10);

/** Two periods compared, by dense category number. */
export interface Comparison {
  /** Of one price basis: relatives that were used, those that were left out, and the mean of the logarithms of those used. */
  readonly of: Readonly<Record<PriceBasis, Relatives>>;
  /** Products with a price in both periods, outliers included. */
  readonly both: Int32Array;
}

export interface Relatives {
  readonly matched: Int32Array;
  readonly outliers: Int32Array;
  /** The logarithm of the Jevons index from the earlier to the later period; NaN where nothing matched. */
  readonly logJevons: Float64Array;
}

/**
 * A comparison that can be brought forward: when a later period takes the place of the later one, only products whose price or
 * categories differ between the two are looked at. Costs the changes, not the catalogue.
 */
export interface Comparing {
  /** As it stands now. */
  comparison(): Comparison;
  /** Sums by dense category number, from which `resume` goes on. */
  sums(): RelativeSums;
  /** Compares with `to` in place of `from`, at all places at which they differ; `earlier` is what was there in the earlier period. */
  moveTo(from: PricesAt, to: PricesAt, earlier: PricesAt): void;
}

/**
 * Sums of one price basis. Logarithms are whole multiples of 2^-50 (panel.ts); each is added in two parts, of which sums of any
 * length are exact: so a sum is the same in whatever order, and however often, something was added and taken away again.
 */
export interface BasisSums {
  readonly matched: Int32Array;
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

export interface RelativeSums extends Readonly<Record<PriceBasis, BasisSums>> {
  readonly both: Int32Array;
}

/** Compares the products that have a price in both periods; a product counts in the categories it was in in both. */
export function compare(earlier: Panel, later: Panel, groups: CategoryGroups): Comparing {
  const comparing = compareWithItself(earlier, groups);
  const changed = changedPlaces(earlier, later);
  const then = pricesAt(earlier, changed);
  comparing.moveTo(then, pricesAt(later, changed), then);
  return comparing;
}

/** A period compared with itself, to be brought forward: nothing has moved. */
export function compareWithItself({ log, group }: Panel, groups: CategoryGroups): Comparing {
  const sums = createSums(groups.size());
  for (let i = 0; i < group.length; i++) {
    const [shelf, member] = [log.shelf[i]!, log.member[i]!];
    if (Number.isNaN(shelf)) continue;
    const g = group[i]!;
    sums.both[g]!++;
    // What costs nothing has no relative.
    if (shelf > Number.NEGATIVE_INFINITY) sums.shelf.matched[g]!++;
    if (member > Number.NEGATIVE_INFINITY) sums.member.matched[g]!++;
  }
  return bringForward(null, sums, groups);
}

/** Goes on with a comparison from its sums. */
export const resume = (kept: RelativeSums, groups: CategoryGroups): Comparing =>
  bringForward(kept, createSums(groups.size()), groups);

/** `kept`: sums by category; `sums`: what is added to them, by group. */
function bringForward(kept: RelativeSums | null, sums: RelativeSums, groups: CategoryGroups): Comparing {
  function add(later: PricesAt, earlier: PricesAt, sign: 1 | -1): void {
    const { shelf: now, member: memberNow, group: groupNow } = later;
    const { shelf: before, member: memberBefore, group: groupBefore } = earlier;
    for (let n = 0; n < now.length; n++) {
      const relative = now[n]! - before[n]!;
      if (Number.isNaN(relative) && (Number.isNaN(now[n]!) || Number.isNaN(before[n]!))) continue;
      const [then, there] = [groupBefore[n]!, groupNow[n]!];
      const group = then === there ? there : groups.intersection(then, there);
      if (group >= sums.both.length) sums = grown(sums, groups.size());
      sums.both[group]! += sign;
      // Also what costs nothing in both: there is no relative.
      if (relative <= widest && relative >= -widest) addTo(sums.shelf, group, relative, sign);
      const ofMembers = memberNow[n]! - memberBefore[n]!;
      if (ofMembers <= widest && ofMembers >= -widest) addTo(sums.member, group, ofMembers, sign);
    }
  }

  function byCategory(): RelativeSums {
    const categories = groups.categoryKeys.length;
    const both = plus(rollUp(sums.both, groups, categories), kept?.both);
    const ofBasis = (basis: PriceBasis): BasisSums => {
      const { matched, coarse, fine } = sums[basis];
      return {
        matched: plus(rollUp(matched, groups, categories), kept?.[basis].matched),
        coarse: plus(rollUp(coarse, groups, categories), kept?.[basis].coarse),
        fine: plus(rollUp(fine, groups, categories), kept?.[basis].fine),
      };
    };
    return { both, shelf: ofBasis('shelf'), member: ofBasis('member') };
  }

  return {
    sums: byCategory,
    comparison() {
      const { both, ...of } = byCategory();
      const relatives = ({ matched, coarse, fine }: BasisSums): Relatives => ({
        matched,
        outliers: both.map((count, c) => count - matched[c]!),
        logJevons: coarse.map((total, c) => (matched[c] === 0 ? Number.NaN : (total + fine[c]!) / matched[c]!)),
      });
      return { of: { shelf: relatives(of.shelf), member: relatives(of.member) }, both };
    },
    moveTo(from, to, earlier) {
      add(from, earlier, -1);
      add(to, earlier, 1);
    },
  };
}

/** Places at which two periods differ, among those at which they may. */
export function changedPlaces(from: Panel, to: Panel, among: Int32Array | null = null): Int32Array {
  const { length } = among ?? to.group;
  const places = new Int32Array(length);
  const [shelf, shelfThen, member, memberThen] = [to.log.shelf, from.log.shelf, to.log.member, from.log.member];
  const isOther = (now: number, then: number) => now !== then && !(Number.isNaN(now) && Number.isNaN(then));
  let found = 0;
  for (let n = 0; n < length; n++) {
    const i = among ? among[n]! : n;
    const differs =
      isOther(shelf[i]!, shelfThen[i]!) || isOther(member[i]!, memberThen[i]!) || to.group[i] !== from.group[i];
    if (differs) places[found++] = i;
  }
  return places.slice(0, found);
}

const coarseSteps = 2 ** 20;

function addTo({ matched, coarse, fine }: BasisSums, group: number, relative: number, sign: 1 | -1): void {
  const large = Math.round(relative * coarseSteps) / coarseSteps;
  matched[group]! += sign;
  // Most prices stay.
  if (relative === 0) return;
  coarse[group]! += sign * large;
  fine[group]! += sign * (relative - large);
}

function plus<Column extends Int32Array | Float64Array>(column: Column, more: Column | undefined): Column {
  if (more) for (let c = 0; c < column.length; c++) column[c]! += more[c]!;
  return column;
}

export function createSums(size: number): RelativeSums {
  const ofBasis = () => ({
    matched: new Int32Array(size),
    coarse: new Float64Array(size),
    fine: new Float64Array(size),
  });
  return { both: new Int32Array(size), shelf: ofBasis(), member: ofBasis() };
}

/** With room for groups that have come since. */
function grown(sums: RelativeSums, size: number): RelativeSums {
  const larger = createSums(size);
  larger.both.set(sums.both);
  for (const basis of bases) {
    larger[basis].matched.set(sums[basis].matched);
    larger[basis].coarse.set(sums[basis].coarse);
    larger[basis].fine.set(sums[basis].fine);
  }
  return larger;
}
