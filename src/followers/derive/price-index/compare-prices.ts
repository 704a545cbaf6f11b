import { type CategoryGroups, wholeRegion } from '../category-groups.ts';
import {
  adjustedEntryOf,
  bases,
  type Entry,
  entryOf,
  ofBases,
  type Panel,
  type PriceBasis,
  plainBases,
} from './panel.ts';

/** Price relatives outside 0.1 to 10 are excluded: fixed bounds as used by the ONS for web-scraped prices. */
const widest = Math.log(10) + 1e-12;

/** Relatives of one price basis by dense category number. */
interface Relatives {
  /** Number of relatives used. */
  readonly matched: Int32Array;
  /** Logarithm of the Jevons index from the earlier to the later period; NaN without matches. */
  readonly logJevons: Float64Array;
  /** Variance of that logarithm, if the products are a sample of those there could be; NaN below two of them. */
  readonly variance: Float64Array;
  /** Number of products with a price in both periods, including outliers. */
  readonly both: Int32Array;
}

/** Comparison of two periods. */
export interface Comparison extends Readonly<Record<PriceBasis, Relatives>> {
  /**
   * What home departments add to the logarithm of the region's index of `shelf_adjusted`, by dense category number;
   * number 0: products without one. NaN without matches.
   */
  readonly parts: Float64Array;
}

const noRelatives = (length: number): Relatives => ({
  matched: new Int32Array(length),
  logJevons: new Float64Array(length),
  variance: new Float64Array(length),
  both: new Int32Array(length),
});

/** Summed up first, and then divided. */
const columns = ['matched', 'logJevons', 'variance', 'both'] as const;

/**
 * Compares products with a price in both periods. Panels have logarithms of mean prices. A product counts in categories
 * it belongs to in both, and adds to the home department that it has in the later one.
 */
export function comparePrices(earlier: Panel, later: Panel, groups: CategoryGroups): Comparison {
  const categories = groups.categoryKeys.length;
  const compared = { ...ofBases(() => noRelatives(categories)), parts: new Float64Array(categories) };
  comparePlainPrices(compared, [earlier, later], groups);
  for (const basis of plainBases) {
    const [plain, adjusted] = [compared[basis], compared[`${basis}_adjusted`]];
    for (const column of columns) adjusted[column].set(plain[column]);
    for (const key of new Set([...earlier.adjusted.keys(), ...later.adjusted.keys()])) {
      addPair(compared, [entryOf(earlier, key), entryOf(later, key)], basis, groups, -1);
      addPair(compared, [adjustedEntryOf(earlier, key), adjustedEntryOf(later, key)], basis, groups, 1);
    }
  }
  const all = compared.shelf_adjusted.matched[wholeRegion]!;
  for (const c of compared.parts.keys()) compared.parts[c] = all === 0 ? Number.NaN : compared.parts[c]! / all;
  for (const basis of bases) {
    const { matched, logJevons, variance } = compared[basis];
    for (const [c, count] of matched.entries()) {
      const mean = count === 0 ? Number.NaN : logJevons[c]! / count;
      logJevons[c] = mean;
      variance[c] = count < 2 ? Number.NaN : Math.max(0, variance[c]! / count - mean ** 2) / (count - 1);
    }
  }
  return compared;
}

/** Sums are made by group first, because a group belongs to several categories. */
function comparePlainPrices(
  compared: Comparison,
  [earlier, later]: readonly [Panel, Panel],
  groups: CategoryGroups,
): void {
  const sums = { shelf: noRelatives(groups.size()), member: noRelatives(groups.size()) };
  /** In order of their first product, so that the order of summation does not depend on the numbering of groups. */
  const seen: number[] = [];
  let e = 0;
  for (let l = 0; l < later.keys.length; l++) {
    const key = later.keys[l]!;
    while (earlier.keys[e]! < key) e++;
    if (earlier.keys[e] !== key) continue;
    const group = later.group[l]!;
    const isSame = earlier.group[e] === group;
    if (isSame && sums.shelf.both[group] === 0) seen.push(group);
    const common = isSame ? [] : groups.members(groups.intersection(earlier.group[e]!, group));
    for (const basis of plainBases) {
      const relative = later[basis][l]! - earlier[basis][e]!;
      if (isSame) addRelative(sums[basis], group, relative, 1);
      for (const c of common) addRelative(compared[basis], c, relative, 1);
      if (!isSame && basis === 'shelf' && isUsed(relative)) compared.parts[groups.home(group)]! += relative;
    }
  }
  for (const group of seen) {
    compared.parts[groups.home(group)]! += sums.shelf.logJevons[group]!;
    for (const c of groups.members(group)) {
      for (const basis of plainBases)
        for (const column of columns) compared[basis][column][c]! += sums[basis][column][group]!;
    }
  }
}

function addPair(
  compared: Comparison,
  [before, now]: readonly [Entry | undefined, Entry | undefined],
  basis: 'shelf' | 'member',
  groups: CategoryGroups,
  times: 1 | -1,
): void {
  if (!before?.nights || !now?.nights) return;
  const relative = now[basis] - before[basis];
  for (const c of groups.members(groups.intersection(before.group, now.group)))
    addRelative(compared[`${basis}_adjusted`], c, relative, times);
  if (basis === 'shelf' && isUsed(relative)) compared.parts[groups.home(now.group)]! += times * relative;
}

/** Excludes prices of 0, too: their logarithms are infinite, so the difference is infinite or NaN. */
const isUsed = (relative: number): boolean => Math.abs(relative) <= widest;

function addRelative(relatives: Relatives, place: number, relative: number, times: 1 | -1): void {
  relatives.both[place]! += times;
  if (!isUsed(relative)) return;
  relatives.matched[place]! += times;
  relatives.logJevons[place]! += times * relative;
  relatives.variance[place]! += times * relative ** 2;
}

/** A panel with logarithms of mean prices. */
export function logPricesOf(panel: Panel): Panel {
  const { nights, shelf, member } = panel;
  const logShelf = shelf.map((sum, i) => Math.log(sum / nights[i]!));
  return {
    ...panel,
    shelf: logShelf,
    // Most products have no loyalty price, so the logarithm of the shelf price is reused.
    member: member.map((sum, i) => (sum === shelf[i] ? logShelf[i]! : Math.log(sum / nights[i]!))),
    adjusted: new Map(
      Array.from(panel.adjusted, ([key, entry]) => [
        key,
        { ...entry, shelf: Math.log(entry.shelf / entry.nights), member: Math.log(entry.member / entry.nights) },
      ]),
    ),
  };
}

/** Number of products with a price, by dense category number: those that a comparison with itself finds. */
export function pricedIn(prices: Panel, groups: CategoryGroups): Readonly<Record<PriceBasis, Int32Array>> {
  const compared = comparePrices(prices, prices, groups);
  return ofBases((basis) => compared[basis].both);
}
