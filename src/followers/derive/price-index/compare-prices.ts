import type { CategoryGroups } from '../category-groups.ts';
import { adjustedEntryOf, type Entry, entryOf, ofBases, type Panel, type PriceBasis, plainBases } from './panel.ts';

/** Price relatives outside 0.1 to 10 are excluded: fixed bounds as used by the ONS for web-scraped prices. */
const widest = Math.log(10) + 1e-12;

/** Relatives of one price basis by dense category number. */
interface Relatives {
  /** Number of relatives used. */
  readonly matched: Int32Array;
  /** Logarithm of the Jevons index from the earlier to the later period; NaN without matches. */
  readonly logJevons: Float64Array;
  /** Number of products with a price in both periods, including outliers. */
  readonly both: Int32Array;
}

/** Comparison of two periods. */
export type Comparison = Readonly<Record<PriceBasis, Relatives>>;

const noRelatives = (length: number): Relatives => ({
  matched: new Int32Array(length),
  logJevons: new Float64Array(length),
  both: new Int32Array(length),
});

/**
 * Compares products with a price in both periods. Panels have logarithms of mean prices. A product counts in categories
 * it belongs to in both.
 */
export function comparePrices(earlier: Panel, later: Panel, groups: CategoryGroups): Comparison {
  const categories = groups.categoryKeys.length;
  const compared = ofBases(() => noRelatives(categories));
  comparePlainPrices(compared, [earlier, later], groups);
  for (const basis of plainBases) {
    const [plain, adjusted] = [compared[basis], compared[`${basis}_adjusted`]];
    for (const column of ['matched', 'logJevons', 'both'] as const) adjusted[column].set(plain[column]);
    for (const key of new Set([...earlier.adjusted.keys(), ...later.adjusted.keys()])) {
      addPair(adjusted, [entryOf(earlier, key), entryOf(later, key)], basis, groups, -1);
      addPair(adjusted, [adjustedEntryOf(earlier, key), adjustedEntryOf(later, key)], basis, groups, 1);
    }
  }
  for (const { matched, logJevons } of Object.values(compared)) {
    for (let c = 0; c < categories; c++) logJevons[c] = matched[c] === 0 ? Number.NaN : logJevons[c]! / matched[c]!;
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
    }
  }
  for (const group of seen) {
    for (const c of groups.members(group)) {
      for (const basis of plainBases)
        for (const column of ['both', 'matched', 'logJevons'] as const)
          compared[basis][column][c]! += sums[basis][column][group]!;
    }
  }
}

function addPair(
  relatives: Relatives,
  [before, now]: readonly [Entry | undefined, Entry | undefined],
  basis: 'shelf' | 'member',
  groups: CategoryGroups,
  times: 1 | -1,
): void {
  if (!before?.nights || !now?.nights) return;
  for (const c of groups.members(groups.intersection(before.group, now.group)))
    addRelative(relatives, c, now[basis] - before[basis], times);
}

/** Excludes prices of 0: their logarithms are infinite, so the difference is infinite or NaN. */
function addRelative({ matched, logJevons, both }: Relatives, place: number, relative: number, times: 1 | -1): void {
  both[place]! += times;
  if (!(Math.abs(relative) <= widest)) return;
  matched[place]! += times;
  logJevons[place]! += times * relative;
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
