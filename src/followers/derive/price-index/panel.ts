import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { CategoryGroups } from '../category-groups.ts';
import { costAt, type RegionNight, unknown } from '../region-night.ts';

const plainBases = ['shelf', 'member'] as const;
type PlainBasis = (typeof plainBases)[number];

/**
 * `shelf`: price for everybody; `member`: loyalty price if there is one, otherwise the shelf price. `_adjusted`: the
 * same for the content that the pack held at first.
 */
export const bases = ['shelf', 'member', 'shelf_adjusted', 'member_adjusted'] as const;
export type PriceBasis = (typeof bases)[number];

export const ofBases = <Value>(of: (basis: PriceBasis) => Value): Readonly<Record<PriceBasis, Value>> => ({
  shelf: of('shelf'),
  member: of('member'),
  shelf_adjusted: of('shelf_adjusted'),
  member_adjusted: of('member_adjusted'),
});

/** A product in a panel; with `nights` 0 it has no price. */
export type Entry = Readonly<Record<'nights' | 'group' | PlainBasis, number>>;

/**
 * Nightly prices of a period, summed up, in columns with one entry per product. Contains only products with a price.
 */
export interface Panel {
  /** Ascending product keys. */
  readonly keys: Int32Array;
  /** Number of nights with a price. */
  readonly nights: Int32Array;
  /** Sums of nightly prices in minor units. */
  readonly shelf: Float64Array;
  readonly member: Float64Array;
  /** Group of categories when the product last had a price in the period (`CategoryGroups`). */
  readonly group: Int32Array;
  /** Entries by product key that replace those of the columns for adjusted prices (`QuantityAdjustment`). */
  readonly adjusted: ReadonlyMap<number, Entry>;
}

/** Index of a product that a panel lacks. */
export const none = -1;

/** Index of a product among ascending keys; `none` if it is missing. */
export function placeOf(keys: Int32Array, key: number): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  return keys[low] === key ? low : none;
}

/** Entry of a product; undefined without a price. */
export function entryOf({ keys, nights, shelf, member, group }: Panel, key: number): Entry | undefined {
  const i = placeOf(keys, key);
  if (i === none) return undefined;
  return { nights: nights[i]!, shelf: shelf[i]!, member: member[i]!, group: group[i]! };
}

export const adjustedEntryOf = (panel: Panel, key: number): Entry | undefined =>
  panel.adjusted.get(key) ?? entryOf(panel, key);

/** Sum of two entries; the group is that of the later one with a price. */
export function addEntries(earlier: Entry | undefined, later: Entry | undefined): Entry {
  const last = later !== undefined && later.nights > 0 ? later : earlier;
  const sum = (column: 'nights' | PlainBasis) => (earlier?.[column] ?? 0) + (later?.[column] ?? 0);
  return { nights: sum('nights'), shelf: sum('shelf'), member: sum('member'), group: (last ?? later)!.group };
}

function emptyPanel(products: number): Panel {
  return {
    keys: new Int32Array(products),
    nights: new Int32Array(products),
    shelf: new Float64Array(products),
    member: new Float64Array(products),
    group: new Int32Array(products),
    adjusted: new Map(),
  };
}

/** A prefix of a panel. */
function firstOf({ keys, nights, shelf, member, group, adjusted }: Panel, count: number): Panel {
  return {
    adjusted,
    keys: keys.slice(0, count),
    nights: nights.slice(0, count),
    shelf: shelf.slice(0, count),
    member: member.slice(0, count),
    group: group.slice(0, count),
  };
}

export function panelOfNight(night: RegionNight): Panel {
  const panel = emptyPanel(night.productKeys.length);
  let count = 0;
  for (let i = 0; i < night.productKeys.length; i++) {
    const price = costAt(night, i);
    if (price === unknown) continue;
    const loyaltyPrice = night.loyaltyPrice[i]!;
    panel.keys[count] = night.productKeys[i]!;
    panel.nights[count] = 1;
    panel.shelf[count] = price;
    panel.member[count] = loyaltyPrice === unknown ? price : loyaltyPrice;
    panel.group[count++] = night.group[i]!;
  }
  return firstOf(panel, count);
}

/** Panel of a period with one more night. */
export function addNight(period: Panel, night: Panel): Panel {
  const sum = emptyPanel(period.keys.length + night.keys.length);
  let count = 0;
  forEachProduct(period, night, (p, n) => {
    sum.keys[count] = p === none ? night.keys[n]! : period.keys[p]!;
    sum.group[count] = n === none ? period.group[p]! : night.group[n]!;
    if (p !== none) {
      sum.nights[count] = period.nights[p]!;
      sum.shelf[count] = period.shelf[p]!;
      sum.member[count] = period.member[p]!;
    }
    if (n !== none) {
      sum.nights[count]! += night.nights[n]!;
      sum.shelf[count]! += night.shelf[n]!;
      sum.member[count]! += night.member[n]!;
    }
    count++;
  });
  const adjusted = new Map(
    [...period.adjusted.keys(), ...night.adjusted.keys()].map((key) => [
      key,
      addEntries(adjustedEntryOf(period, key), adjustedEntryOf(night, key)),
    ]),
  );
  return { ...firstOf(sum, count), adjusted };
}

/** Calls `visit` with the indices of each product in two panels; `none` if a panel lacks it. */
export function forEachProduct(
  a: Pick<Panel, 'keys'>,
  b: Pick<Panel, 'keys'>,
  visit: (placeInA: number, placeInB: number) => void,
): void {
  let [i, j] = [0, 0];
  while (i < a.keys.length || j < b.keys.length) {
    const keyOfA = a.keys[i] ?? Number.POSITIVE_INFINITY;
    const keyOfB = b.keys[j] ?? Number.POSITIVE_INFINITY;
    visit(keyOfA <= keyOfB ? i++ : none, keyOfB <= keyOfA ? j++ : none);
  }
}

/** Products with a price and sums of their prices, by dense category number. */
interface Totals {
  readonly priced: Int32Array;
  readonly sum: Float64Array;
}

export type PanelTotals = Readonly<Record<PriceBasis, Totals>>;

export function totalsOf(panel: Panel, groups: CategoryGroups): PanelTotals {
  const categories = groups.categoryKeys.length;
  const totals = ofBases(() => ({ priced: new Int32Array(categories), sum: new Float64Array(categories) }));
  for (const basis of plainBases) {
    const [plain, adjusted] = [totals[basis], totals[`${basis}_adjusted`]];
    addPrices(plain, panel, basis, groups);
    adjusted.priced.set(plain.priced);
    adjusted.sum.set(plain.sum);
    for (const [key, entry] of panel.adjusted) {
      const own = entryOf(panel, key);
      if (own) addSum(adjusted, groups.members(own.group), -1, -own[basis] / own.nights);
      if (entry.nights > 0) addSum(adjusted, groups.members(entry.group), 1, entry[basis] / entry.nights);
    }
  }
  return totals;
}

/** Sums are made by group first, because a group belongs to several categories. */
function addPrices(totals: Totals, panel: Panel, basis: PlainBasis, groups: CategoryGroups): void {
  const count = new Int32Array(groups.size());
  const sum = new Float64Array(groups.size());
  /** In order of their first product, so that the order of summation does not depend on the numbering of groups. */
  const seen: number[] = [];
  const { group, nights, [basis]: prices } = panel;
  for (let i = 0; i < group.length; i++) {
    const g = group[i]!;
    if (count[g] === 0) seen.push(g);
    count[g]!++;
    sum[g]! += prices[i]! / nights[i]!;
  }
  for (const g of seen) addSum(totals, groups.members(g), count[g]!, sum[g]!);
}

function addSum({ priced, sum }: Totals, members: Int32Array, count: number, prices: number): void {
  for (const c of members) {
    priced[c]! += count;
    sum[c]! += prices;
  }
}

/** Products of a panel in any of the categories, given by dense number. */
export function productsIn(panel: Panel, categories: ReadonlySet<number>, groups: CategoryGroups): Panel {
  const isIn = Array.from({ length: groups.size() }, (_, g) => groups.members(g).some((c) => categories.has(c)));
  const kept = (_: number, i: number) => isIn[panel.group[i]!]!;
  return {
    keys: panel.keys.filter(kept),
    nights: panel.nights.filter(kept),
    shelf: panel.shelf.filter(kept),
    member: panel.member.filter(kept),
    group: panel.group.filter(kept),
    adjusted: new Map([...panel.adjusted].filter(([, { group }]) => isIn[group])),
  };
}

type Column = Int32Array | Float64Array;

interface PackedPanel {
  /** Delta-encoded keys. */
  readonly keys: ArrayLike<number>;
  readonly nights: ArrayLike<number>;
  readonly shelf: ArrayLike<number>;
  /** Shelf price minus member price: mostly 0. */
  readonly saving: ArrayLike<number>;
  /** Indices into `memberships`. */
  readonly group: ArrayLike<number>;
  readonly memberships: readonly (readonly number[])[];
  /** With groups as above. */
  readonly adjusted: readonly (readonly [key: number, entry: Entry])[];
}

/** Serialises a panel independently of the numbering of groups and categories. */
export function packPanel(
  { keys, nights, shelf, member, group, adjusted }: Panel,
  groups: CategoryGroups,
): Promise<Buffer> {
  const used = [...new Set([...group, ...[...adjusted.values()].map((entry) => entry.group)])];
  const placeOf = new Map(used.map((each, place) => [each, place]));
  return pack({
    keys: narrow(keys.map((key, i) => key - (keys[i - 1] ?? 0))),
    nights: narrow(nights),
    shelf: narrow(shelf),
    saving: narrow(shelf.map((sum, i) => sum - member[i]!)),
    group: narrow(group.map((each) => placeOf.get(each)!)),
    memberships: used.map((each) => Array.from(groups.members(each), (c) => groups.categoryKeys[c]!)),
    adjusted: Array.from(adjusted, ([key, entry]) => [key, { ...entry, group: placeOf.get(entry.group)! }]),
  } satisfies PackedPanel);
}

export function unpackPanel(packed: Buffer, groups: CategoryGroups): Panel {
  const { keys, nights, shelf, saving, group, memberships, adjusted } = unpack<PackedPanel>(packed);
  const groupOf = memberships.map((categoryKeys) => groups.ofKeys(categoryKeys));
  const panel: Panel = {
    keys: new Int32Array(keys),
    nights: new Int32Array(nights),
    shelf: new Float64Array(shelf),
    member: new Float64Array(shelf),
    group: new Int32Array(group),
    adjusted: new Map(adjusted.map(([key, entry]) => [key, { ...entry, group: groupOf[entry.group]! }])),
  };
  const savings = new Float64Array(saving);
  for (let i = 0; i < panel.keys.length; i++) {
    if (i > 0) panel.keys[i]! += panel.keys[i - 1]!;
    panel.member[i]! -= savings[i]!;
    panel.group[i] = groupOf[panel.group[i]!]!;
  }
  return panel;
}

const deflate = promisify<Buffer, { level: number }, Buffer>(deflateRaw);

export const pack = (value: object): Promise<Buffer> => deflate(serialize(value), { level: 1 });

export const unpack = <Value>(packed: Buffer): Value =>
  deserialize(inflateRawSync(packed, { chunkSize: Math.max(65_536, packed.length * 8) })) as Value;

/** Converts numbers to the narrowest sufficient type. */
function narrow(column: Column): Column | Uint8Array | Uint16Array {
  let [least, most] = [0, 0];
  for (const value of column) {
    if ((value | 0) !== value) return column;
    if (value < least) least = value;
    if (value > most) most = value;
  }
  if (least < 0 || most >= 2 ** 16) return new Int32Array(column);
  return most < 2 ** 8 ? new Uint8Array(column) : new Uint16Array(column);
}
