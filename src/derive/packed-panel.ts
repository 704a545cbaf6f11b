import type { CategoryGroups } from './category-groups.ts';
import { type Column, type Layout, packColumns, unpackColumns } from './packed-columns.ts';
import { emptySums, logOf, type PeriodSums, type PricesAt } from './panel.ts';

interface Header {
  /** Products with a price. */
  readonly products: number;
  /** Of each group that products are in, the keys of its categories. */
  readonly memberships: readonly (readonly number[])[];
}

/**
 * A period's sums as bytes: products with a price only, column after column. Read again with other products beside them, and
 * with other numbers for the same categories.
 */
export function packSums(
  sums: PeriodSums,
  productKeys: Int32Array,
  groups: CategoryGroups,
  isKept: (group: number) => boolean = () => true,
): Promise<Buffer> {
  const { nights, group, sum } = sums;
  const isGroupKept = Array.from({ length: groups.size() }, (_, each) => isKept(each));
  let products = 0;
  for (let i = 0; i < nights.length; i++) if (nights[i]! > 0 && isGroupKept[group[i]!]) products++;
  const packed = {
    keys: new Int32Array(products),
    nights: new Uint16Array(products),
    shelf: new Float64Array(products),
    // Mostly nothing.
    saving: new Float64Array(products),
    group: new Int32Array(products),
  };
  const nameOf = new Int32Array(groups.size()).fill(-1);
  const used: number[] = [];
  const { shelf, member } = sum;
  let [n, lastKey] = [0, 0];
  for (let i = 0; i < nights.length; i++) {
    const g = group[i]!;
    if (nights[i] === 0 || !isGroupKept[g]) continue;
    const key = productKeys[i]!;
    packed.keys[n] = key - lastKey;
    lastKey = key;
    packed.nights[n] = nights[i]!;
    packed.shelf[n] = shelf[i]!;
    packed.saving[n] = shelf[i]! - member[i]!;
    if (nameOf[g] === -1) nameOf[g] = used.push(g) - 1;
    packed.group[n++] = nameOf[g]!;
  }
  const memberships = used.map((each) => Array.from(groups.members(each), (c) => groups.categoryKeys[c]!));
  return packColumns({ products, memberships } satisfies Header, Object.values(packed));
}

/** `productKeys`: of all products, ascending; those that are no longer among them are left out. */
export function unpackSums(start: string, packed: Buffer, productKeys: Int32Array, groups: CategoryGroups): PeriodSums {
  const { products, keys, nights, shelf, saving, group, groupOf } = read(packed, groups);
  const sums = emptySums(start, productKeys.length);
  let [key, place] = [0, 0];
  for (let n = 0; n < products; n++) {
    key += keys[n]!;
    while (place < productKeys.length && productKeys[place]! < key) place++;
    if (productKeys[place] !== key) continue;
    sums.nights[place] = nights[n]!;
    sums.sum.shelf[place] = shelf[n]!;
    sums.sum.member[place] = shelf[n]! - saving[n]!;
    sums.group[place] = groupOf[group[n]!]!;
  }
  return sums;
}

/** Of some products only, the places of which are in ascending order. */
export function unpackPricesAt(
  packed: Buffer,
  places: Int32Array,
  productKeys: Int32Array,
  groups: CategoryGroups,
): PricesAt {
  const { products, keys, nights, shelf, saving, group, groupOf } = read(packed, groups);
  const found = {
    shelf: new Float64Array(places.length).fill(Number.NaN),
    member: new Float64Array(places.length).fill(Number.NaN),
    group: new Int32Array(places.length).fill(-1),
  };
  let [n, key] = [0, keys[0] ?? 0];
  for (let p = 0; p < places.length; p++) {
    const wanted = productKeys[places[p]!]!;
    while (key < wanted && n < products - 1) key += keys[++n]!;
    if (key !== wanted) continue;
    const count = nights[n]!;
    found.shelf[p] = logOf(shelf[n]! / count);
    found.member[p] = logOf((shelf[n]! - saving[n]!) / count);
    found.group[p] = groupOf[group[n]!]!;
  }
  return found;
}

function read(packed: Buffer, groups: CategoryGroups) {
  const { header, columns } = unpackColumns<Header>(packed, formerLayout);
  const [keys, nights, shelf, saving, group] = columns as [Column, Column, Column, Column, Column];
  const groupOf = header.memberships.map((categoryKeys) => groups.ofKeys(categoryKeys));
  return { products: header.products, keys, nights, shelf, saving, group, groupOf };
}

/** Of panels that were packed when every column had one width. */
const formerLayout = ({ products }: Header): Layout =>
  (['i4', 'u2', 'f8', 'f8', 'i4'] as const).map((type) => [type, products] as const);
