import type { CategoryGroups } from '../category-groups.ts';
import { adjustedEntryOf, type Entry, entryOf, ofBases, type Panel, type PriceBasis } from './panel.ts';

/** Price relatives outside 0.1 to 10 are excluded: fixed bounds as used by the ONS for web-scraped prices. */
const widest = Math.log(10) + 1e-12;

/** A panel with the logarithms of its prices, as needed by comparisons. */
export interface LogPrices {
  readonly panel: Panel;
  readonly shelf: Float64Array;
  readonly member: Float64Array;
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

/** Compares products with a price in both periods. A product counts in categories it belongs to in both. */
export function comparePrices(earlier: LogPrices, later: LogPrices, groups: CategoryGroups): Comparison {
  const categories = groups.categoryKeys.length;
  const compared = ofBases(() => ({
    matched: new Int32Array(categories),
    logJevons: new Float64Array(categories),
    both: new Int32Array(categories),
  }));
  const [before, now] = [earlier.panel, later.panel];
  let e = 0;
  for (let l = 0; l < now.keys.length; l++) {
    const key = now.keys[l]!;
    while (before.keys[e]! < key) e++;
    if (before.keys[e] !== key) continue;
    const members = groups.members(groups.intersection(before.group[e]!, now.group[l]!));
    addRelative(compared.shelf, members, later.shelf[l]! - earlier.shelf[e]!);
    addRelative(compared.member, members, later.member[l]! - earlier.member[e]!);
  }
  for (const basis of ['shelf', 'member'] as const) {
    const [plain, adjusted] = [compared[basis], compared[`${basis}_adjusted`]];
    for (const column of ['matched', 'logJevons', 'both'] as const) adjusted[column].set(plain[column]);
    for (const key of new Set([...before.adjusted.keys(), ...now.adjusted.keys()])) {
      addPair(adjusted, [entryOf(before, key), entryOf(now, key)], basis, groups, -1);
      addPair(adjusted, [adjustedEntryOf(before, key), adjustedEntryOf(now, key)], basis, groups, 1);
    }
  }
  for (const { matched, logJevons } of Object.values(compared)) {
    for (let c = 0; c < categories; c++) logJevons[c] = matched[c] === 0 ? Number.NaN : logJevons[c]! / matched[c]!;
  }
  return compared;
}

function addPair(
  relatives: Relatives,
  [before, now]: readonly [Entry | undefined, Entry | undefined],
  basis: 'shelf' | 'member',
  groups: CategoryGroups,
  times: 1 | -1,
): void {
  if (!before?.nights || !now?.nights) return;
  const members = groups.members(groups.intersection(before.group, now.group));
  addRelative(relatives, members, logOf(now[basis] / now.nights) - logOf(before[basis] / before.nights), times);
}

/** Excludes prices of 0: their logarithms are infinite, so the difference is infinite or NaN. */
function addRelative(
  { matched, logJevons, both }: Relatives,
  members: Int32Array,
  relative: number,
  times: 1 | -1 = 1,
): void {
  const isUsed = Math.abs(relative) <= widest;
  for (let m = 0; m < members.length; m++) {
    const c = members[m]!;
    both[c]! += times;
    if (!isUsed) continue;
    matched[c]! += times;
    logJevons[c]! += times * relative;
  }
}

export function logPricesOf(panel: Panel): LogPrices {
  const { nights, shelf, member } = panel;
  const logShelf = shelf.map((sum, i) => logOf(sum / nights[i]!));
  return {
    panel,
    shelf: logShelf,
    // Most products have no loyalty price, so the logarithm of the shelf price is reused.
    member: member.map((sum, i) => (sum === shelf[i] ? logShelf[i]! : logOf(sum / nights[i]!))),
  };
}

/** Lookup table of logarithms: nearly all prices of a night are integers below its size. */
const logOfWhole = Float64Array.from({ length: 2 ** 16 }, (_, price) => Math.log(price));

const logOf = (price: number): number =>
  (price | 0) === price && price < logOfWhole.length ? logOfWhole[price]! : Math.log(price);
