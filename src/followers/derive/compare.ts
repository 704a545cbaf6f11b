import type { CategoryGroups } from './category-groups.ts';
import type { Panel, PriceBasis } from './panel.ts';

/** Price relatives outside 0.1 to 10 are excluded: fixed bounds as used by the ONS for web-scraped prices. */
const widest = Math.log(10) + 1e-12;

/** Logarithms of a period's prices, as needed by comparisons. */
export interface LogPrices extends Readonly<Record<PriceBasis, Float64Array>>, Pick<Panel, 'keys' | 'group'> {}

/** Relatives of one price basis by dense category number. */
interface Relatives {
  /** Number of relatives used. */
  readonly matched: Int32Array;
  /** Logarithm of the Jevons index from the earlier to the later period; NaN without matches. */
  readonly logJevons: Float64Array;
}

/** Comparison of two periods. */
export interface Comparison extends Readonly<Record<PriceBasis, Relatives>> {
  /** Number of products with a price in both periods, including outliers. */
  readonly both: Int32Array;
}

/** Compares products with a price in both periods. A product counts in categories it belongs to in both. */
export function compare(earlier: LogPrices, later: LogPrices, groups: CategoryGroups): Comparison {
  const categories = groups.categoryKeys.length;
  const both = new Int32Array(categories);
  const shelf = { matched: new Int32Array(categories), logJevons: new Float64Array(categories) };
  const member = { matched: new Int32Array(categories), logJevons: new Float64Array(categories) };
  let e = 0;
  for (let l = 0; l < later.keys.length; l++) {
    const key = later.keys[l]!;
    while (earlier.keys[e]! < key) e++;
    if (earlier.keys[e] !== key) continue;
    const members = groups.members(groups.intersection(earlier.group[e]!, later.group[l]!));
    for (let m = 0; m < members.length; m++) both[members[m]!]!++;
    addRelative(shelf, members, later.shelf[l]! - earlier.shelf[e]!);
    addRelative(member, members, later.member[l]! - earlier.member[e]!);
  }
  for (const { matched, logJevons } of [shelf, member]) {
    for (let c = 0; c < categories; c++) logJevons[c]! /= matched[c]!;
  }
  return { both, shelf, member };
}

/** Excludes prices of 0: their logarithms are infinite, so the difference is infinite or NaN. */
function addRelative({ matched, logJevons }: Relatives, members: Int32Array, relative: number): void {
  if (!(Math.abs(relative) <= widest)) return;
  for (let m = 0; m < members.length; m++) {
    const c = members[m]!;
    matched[c]!++;
    logJevons[c]! += relative;
  }
}

export function logPricesOf({ keys, group, nights, shelf, member }: Panel): LogPrices {
  const logShelf = shelf.map((sum, i) => logOf(sum / nights[i]!));
  return {
    keys,
    group,
    shelf: logShelf,
    // Most products have no loyalty price, so the logarithm of the shelf price is reused.
    member: member.map((sum, i) => (sum === shelf[i] ? logShelf[i]! : logOf(sum / nights[i]!))),
  };
}

/** Lookup table of logarithms: nearly all prices of a night are integers below its size. */
const logOfWhole = Float64Array.from({ length: 2 ** 16 }, (_, price) => Math.log(price));

const logOf = (price: number): number =>
  (price | 0) === price && price < logOfWhole.length ? logOfWhole[price]! : Math.log(price);
