import type { CategoryGroups } from './category-groups.ts';
import { rollUp } from './daily-figures.ts';
import type { Panel, PriceBasis, PricesAt } from './panel.ts';

/** Price relatives outside 0.1 to 10 are left out: fixed fences, as the ONS sets them for web-scraped prices. */
export const widest = Math.log(10);

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
 * Sums of one price basis, by dense category number. Logarithms are whole multiples of 2^-50 (panel.ts); each is added in two
 * parts, of which sums of any length are exact: so a sum is the same in whatever order, and however often, something was added
 * and taken away again.
 */
export interface BasisSums {
  readonly matched: Int32Array;
  readonly coarse: Float64Array;
  readonly fine: Float64Array;
}

export interface RelativeSums extends Readonly<Record<PriceBasis, BasisSums>> {
  readonly both: Int32Array;
}

export function createSums(categories: number): RelativeSums {
  const ofBasis = () => ({
    matched: new Int32Array(categories),
    coarse: new Float64Array(categories),
    fine: new Float64Array(categories),
  });
  return { both: new Int32Array(categories), shelf: ofBasis(), member: ofBasis() };
}

/** What the sums come to as they stand. */
export function comparisonOf({ both, shelf, member }: RelativeSums): Comparison {
  const relatives = ({ matched, coarse, fine }: BasisSums): Relatives => ({
    matched: matched.slice(),
    outliers: both.map((count, c) => count - matched[c]!),
    logJevons: coarse.map((total, c) => (matched[c] === 0 ? Number.NaN : (total + fine[c]!) / matched[c]!)),
  });
  return { of: { shelf: relatives(shelf), member: relatives(member) }, both: both.slice() };
}

/** Compares the products that have a price in both periods; a product counts in the categories it was in in both. */
export function compare(earlier: Panel, later: Panel, groups: CategoryGroups): RelativeSums {
  const sums = createSums(groups.categoryKeys.length);
  const [then, now] = [pricesOf(earlier), pricesOf(later)];
  for (let i = 0; i < later.group.length; i++) addRelatives(sums, { earlier: then, e: i, later: now, l: i }, groups, 1);
  return sums;
}

const pricesOf = ({ log: { shelf, member }, group }: Panel): PricesAt => ({ shelf, member, group });

/** A period compared with itself: nothing has moved. What costs nothing has no relative. */
export function compareWithItself({ log, group }: Panel, groups: CategoryGroups): RelativeSums {
  const counts = () => new Int32Array(groups.size());
  const [both, shelf, member] = [counts(), counts(), counts()];
  for (let i = 0; i < group.length; i++) {
    if (Number.isNaN(log.shelf[i]!)) continue;
    const g = group[i]!;
    both[g]!++;
    if (log.shelf[i]! > Number.NEGATIVE_INFINITY) shelf[g]!++;
    if (log.member[i]! > Number.NEGATIVE_INFINITY) member[g]!++;
  }
  const categories = groups.categoryKeys.length;
  const none = () => new Float64Array(categories);
  const of = (matched: Int32Array): BasisSums => ({
    matched: rollUp(matched, groups, categories),
    coarse: none(),
    fine: none(),
  });
  return { both: rollUp(both, groups, categories), shelf: of(shelf), member: of(member) };
}

/** A product in two periods: entry `e` of what is there in the earlier, entry `l` of what is there in the later. */
export interface TwoPrices {
  readonly earlier: PricesAt;
  readonly e: number;
  readonly later: PricesAt;
  readonly l: number;
}

/** Counts a product in, or out again. Nothing where it has no price in one of the periods. */
export function addRelatives(
  sums: RelativeSums,
  { earlier, e, later, l }: TwoPrices,
  groups: CategoryGroups,
  sign: 1 | -1,
): void {
  const [before, after] = [earlier.shelf[e]!, later.shelf[l]!];
  if (Number.isNaN(before) || Number.isNaN(after)) return;
  const [groupBefore, groupNow] = [earlier.group[e]!, later.group[l]!];
  const members = groups.members(groupBefore === groupNow ? groupNow : groups.intersection(groupBefore, groupNow));
  for (let m = 0; m < members.length; m++) sums.both[members[m]!]! += sign;
  addRelative(sums.shelf, members, before, after, sign);
  addRelative(sums.member, members, earlier.member[e]!, later.member[l]!, sign);
}

/** What costs nothing has no relative, also where it costs nothing in both. */
function addRelative(
  { matched, coarse, fine }: BasisSums,
  members: Int32Array,
  before: number,
  after: number,
  sign: 1 | -1,
): void {
  const relative = after - before;
  if (!(relative <= widest && relative >= -widest)) return;
  const large = coarseOf(after) - coarseOf(before);
  const small = relative - large;
  for (let m = 0; m < members.length; m++) {
    const c = members[m]!;
    matched[c]! += sign;
    coarse[c]! += sign * large;
    fine[c]! += sign * small;
  }
}

const coarseSteps = 2 ** 20;

/** Of a logarithm, what is told in steps of 2^-20; the rest is less than one of them. */
export const coarseOf = (log: number): number => Math.round(log * coarseSteps) / coarseSteps;

/** Places at which two periods differ, among those at which they may. */
export function changedPlaces(from: Panel, to: Panel, among: Int32Array | null): Int32Array {
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
