import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { CategoryGroups } from './category-groups.ts';
import { costAt, type RegionNight, unknown } from './region-night.ts';

/** `shelf`: price for everybody; `member`: loyalty price if there is one, otherwise the shelf price. */
export const bases = ['shelf', 'member'] as const;
export type PriceBasis = (typeof bases)[number];

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
}

function emptyPanel(products: number): Panel {
  return {
    keys: new Int32Array(products),
    nights: new Int32Array(products),
    shelf: new Float64Array(products),
    member: new Float64Array(products),
    group: new Int32Array(products),
  };
}

/** A prefix of a panel. */
function firstOf({ keys, nights, shelf, member, group }: Panel, count: number): Panel {
  return {
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
    for (const column of ['nights', 'shelf', 'member'] as const)
      sum[column][count] = (p === none ? 0 : period[column][p]!) + (n === none ? 0 : night[column][n]!);
    count++;
  });
  return firstOf(sum, count);
}

export const none = -1;

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

/** Number of products with a price and sums of prices, by dense category number. */
export interface PanelTotals extends Readonly<Record<PriceBasis, Float64Array>> {
  readonly priced: Int32Array;
}

export function totalsOf(panel: Panel, groups: CategoryGroups): PanelTotals {
  const categories = groups.categoryKeys.length;
  const totals = {
    priced: new Int32Array(categories),
    shelf: new Float64Array(categories),
    member: new Float64Array(categories),
  };
  for (let i = 0; i < panel.keys.length; i++) {
    for (const c of groups.members(panel.group[i]!)) {
      totals.priced[c]!++;
      totals.shelf[c]! += panel.shelf[i]! / panel.nights[i]!;
      totals.member[c]! += panel.member[i]! / panel.nights[i]!;
    }
  }
  return totals;
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
}

/** Serialises a panel independently of the numbering of groups and categories. */
export function packPanel({ keys, nights, shelf, member, group }: Panel, groups: CategoryGroups): Promise<Buffer> {
  const used = [...new Set(group)];
  const placeOf = new Map(used.map((each, place) => [each, place]));
  return pack({
    keys: narrow(keys.map((key, i) => key - (keys[i - 1] ?? 0))),
    nights: narrow(nights),
    shelf: narrow(shelf),
    saving: narrow(shelf.map((sum, i) => sum - member[i]!)),
    group: narrow(group.map((each) => placeOf.get(each)!)),
    memberships: used.map((each) => Array.from(groups.members(each), (c) => groups.categoryKeys[c]!)),
  } satisfies PackedPanel);
}

export function unpackPanel(packed: Buffer, groups: CategoryGroups): Panel {
  const { keys, nights, shelf, saving, group, memberships } = unpack<PackedPanel>(packed);
  const groupOf = memberships.map((categoryKeys) => groups.ofKeys(categoryKeys));
  const panel = emptyPanel(keys.length);
  let key = 0;
  for (let i = 0; i < keys.length; i++) {
    key += keys[i]!;
    panel.keys[i] = key;
    panel.nights[i] = nights[i]!;
    panel.shelf[i] = shelf[i]!;
    panel.member[i] = shelf[i]! - saving[i]!;
    panel.group[i] = groupOf[group[i]!]!;
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
