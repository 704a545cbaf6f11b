import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { deflateRaw, inflateRawSync } from 'node:zlib';
import type { CategoryGroups } from '../category-groups.ts';
import { type RegionNight, unknown } from '../read-night.ts';

export const plainBases = ['shelf', 'member'] as const;
type PlainBasis = (typeof plainBases)[number];

/**
 * `shelf`: price for everybody; `member`: loyalty price if there is one, otherwise the shelf price. `_adjusted`: the
 * same for the content that the pack held at first.
 */
export const bases = ['shelf', 'member', 'shelf_adjusted', 'member_adjusted'] as const;
export type PriceBasis = (typeof bases)[number];

export const ofBases = <Value>(of: (basis: PriceBasis) => Value) =>
  Object.fromEntries(bases.map((basis) => [basis, of(basis)])) as Readonly<Record<PriceBasis, Value>>;

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
  /** Entries by product key that replace those of the columns for adjusted prices (`adjustQuantities`). */
  readonly adjusted: ReadonlyMap<number, Entry>;
}

/** The place of a product that a panel lacks. */
export const none = -1;

/** Entry of a product; undefined without a price. */
export function entryOf({ keys, nights, shelf, member, group }: Panel, key: number): Entry | undefined {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (keys[middle]! < key) low = middle + 1;
    else high = middle;
  }
  if (keys[low] !== key) return undefined;
  return { nights: nights[low]!, shelf: shelf[low]!, member: member[low]!, group: group[low]! };
}

export const adjustedEntryOf = (panel: Panel, key: number): Entry | undefined =>
  panel.adjusted.get(key) ?? entryOf(panel, key);

/** Sum of two entries; the group is that of the later one with a price. */
export function addEntries(earlier: Entry | undefined, later: Entry | undefined): Entry {
  const last = later !== undefined && later.nights > 0 ? later : earlier;
  const sum = (column: 'nights' | PlainBasis) => (earlier?.[column] ?? 0) + (later?.[column] ?? 0);
  return { nights: sum('nights'), shelf: sum('shelf'), member: sum('member'), group: (last ?? later)!.group };
}

export function panelOfNight(night: RegionNight): Panel {
  const priced = Int32Array.from(night.price.keys()).filter((i) => night.price[i] !== unknown);
  return {
    keys: priced.map((i) => night.productKeys[i]!),
    nights: new Int32Array(priced.length).fill(1),
    shelf: Float64Array.from(priced, (i) => night.price[i]!),
    member: Float64Array.from(priced, (i) =>
      night.loyaltyPrice[i] === unknown ? night.price[i]! : night.loyaltyPrice[i]!,
    ),
    group: priced.map((i) => night.group[i]!),
    adjusted: new Map(),
  };
}

/** Panel of a period with one more night. */
export function addNight(period: Panel, night: Panel): Panel {
  const [inPeriod, inNight]: [number[], number[]] = [[], []];
  forEachProduct(period, night, (p, n) => {
    inPeriod.push(p);
    inNight.push(n);
  });
  const sum = (column: 'nights' | PlainBasis) =>
    Float64Array.from(inPeriod, (p, i) => {
      const n = inNight[i]!;
      return (p === none ? 0 : period[column][p]!) + (n === none ? 0 : night[column][n]!);
    });
  const last = (column: 'keys' | 'group') =>
    Int32Array.from(inPeriod, (p, i) => (inNight[i] === none ? period[column][p]! : night[column][inNight[i]!]!));
  const adjusted = new Map(
    [...period.adjusted.keys(), ...night.adjusted.keys()].map((key) => [
      key,
      addEntries(adjustedEntryOf(period, key), adjustedEntryOf(night, key)),
    ]),
  );
  return {
    ...{ keys: last('keys'), group: last('group'), adjusted },
    ...{ nights: Int32Array.from(sum('nights')), shelf: sum('shelf'), member: sum('member') },
  };
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
  readonly memberships: readonly { readonly home: number; readonly categories: readonly number[] }[];
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
    memberships: used.map((each) => ({
      home: groups.categoryKeys[groups.home(each)]!,
      categories: Array.from(groups.members(each), (c) => groups.categoryKeys[c]!),
    })),
    adjusted: Array.from(adjusted, ([key, entry]) => [key, { ...entry, group: placeOf.get(entry.group)! }]),
  } satisfies PackedPanel);
}

export function unpackPanel(packed: Buffer, groups: CategoryGroups): Panel {
  const { keys, nights, shelf, saving, group, memberships, adjusted } = unpack<PackedPanel>(packed);
  const groupOf = memberships.map(({ home, categories }) => groups.ofKeys(home, categories));
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
  deserialize(inflateRawSync(packed, { chunkSize: Math.max(2 ** 16, packed.length * 8), maxOutputLength: 2 ** 30 }));

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
