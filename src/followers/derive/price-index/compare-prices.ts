import type { CategoryGroups } from '../category-groups.ts';
import { none, ofBases, type Panel, type PriceBasis, placeOf } from './panel.ts';

/** Price relatives outside 0.1 to 10 are excluded: fixed bounds as used by the ONS for web-scraped prices. */
const widest = Math.log(10) + 1e-12;

interface LogEntry {
  readonly group: number;
  readonly shelf: number;
  readonly member: number;
}

/** Logarithms of a panel's mean prices: all that comparisons need of it. */
export interface LogPrices {
  /** Ascending product keys. */
  readonly keys: Int32Array;
  readonly group: Int32Array;
  readonly shelf: Float64Array;
  readonly member: Float64Array;
  /** Entries by product key that replace those of the columns for adjusted prices; null without a price. */
  readonly adjusted: ReadonlyMap<number, LogEntry | null>;
}

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

/** Compares products with a price in both periods. A product counts in categories it belongs to in both. */
export function comparePrices(earlier: LogPrices, later: LogPrices, groups: CategoryGroups): Comparison {
  const categories = groups.categoryKeys.length;
  const compared = ofBases(() => noRelatives(categories));
  comparePlainPrices(compared, [earlier, later], groups);
  for (const basis of ['shelf', 'member'] as const) {
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
  [earlier, later]: readonly [LogPrices, LogPrices],
  groups: CategoryGroups,
): void {
  const shelf = noRelatives(groups.size());
  const member = noRelatives(groups.size());
  /** In order of their first product, so that the order of summation does not depend on the numbering of groups. */
  const seen: number[] = [];
  let e = 0;
  for (let l = 0; l < later.keys.length; l++) {
    const key = later.keys[l]!;
    while (earlier.keys[e]! < key) e++;
    if (earlier.keys[e] !== key) continue;
    const group = later.group[l]!;
    const shelfRelative = later.shelf[l]! - earlier.shelf[e]!;
    const memberRelative = later.member[l]! - earlier.member[e]!;
    if (earlier.group[e] === group) {
      if (shelf.both[group] === 0) seen.push(group);
      addRelative(shelf, group, shelfRelative, 1);
      addRelative(member, group, memberRelative, 1);
      continue;
    }
    for (const c of groups.members(groups.intersection(earlier.group[e]!, group))) {
      addRelative(compared.shelf, c, shelfRelative, 1);
      addRelative(compared.member, c, memberRelative, 1);
    }
  }
  for (const group of seen) {
    for (const c of groups.members(group)) {
      addSums(compared.shelf, c, shelf, group);
      addSums(compared.member, c, member, group);
    }
  }
}

function addSums(to: Relatives, c: number, from: Relatives, group: number): void {
  to.both[c]! += from.both[group]!;
  to.matched[c]! += from.matched[group]!;
  to.logJevons[c]! += from.logJevons[group]!;
}

function addPair(
  relatives: Relatives,
  [before, now]: readonly [LogEntry | null, LogEntry | null],
  basis: 'shelf' | 'member',
  groups: CategoryGroups,
  times: 1 | -1,
): void {
  if (!before || !now) return;
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

export function logPricesOf({ keys, group, nights, shelf, member, adjusted }: Panel): LogPrices {
  const logShelf = shelf.map((sum, i) => logOf(sum / nights[i]!));
  return {
    keys,
    group,
    shelf: logShelf,
    // Most products have no loyalty price, so the logarithm of the shelf price is reused.
    member: member.map((sum, i) => (sum === shelf[i] ? logShelf[i]! : logOf(sum / nights[i]!))),
    adjusted: new Map(
      Array.from(adjusted, ([key, entry]) => [
        key,
        entry.nights === 0
          ? null
          : {
              group: entry.group,
              shelf: logOf(entry.shelf / entry.nights),
              member: logOf(entry.member / entry.nights),
            },
      ]),
    ),
  };
}

function entryOf(prices: LogPrices, key: number): LogEntry | null {
  const i = placeOf(prices.keys, key);
  return i === none ? null : { group: prices.group[i]!, shelf: prices.shelf[i]!, member: prices.member[i]! };
}

function adjustedEntryOf(prices: LogPrices, key: number): LogEntry | null {
  const entry = prices.adjusted.get(key);
  return entry === undefined ? entryOf(prices, key) : entry;
}

/** Lookup table of logarithms: nearly all prices of a night are integers below its size. */
const logOfWhole = new Float64Array(2 ** 16);
for (let price = 0; price < logOfWhole.length; price += 1) logOfWhole[price] = Math.log(price);

const logOf = (price: number): number =>
  (price | 0) === price && price < logOfWhole.length ? logOfWhole[price]! : Math.log(price);
