import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { CategoryGroups } from './category-groups.ts';
import { emptySums, type PeriodSums } from './panel.ts';

/**
 * A period's sums as bytes: products with a price only, column after column, deflated. Read again with other products beside
 * them, and with other numbers for the same categories.
 */
export function packSums(
  sums: PeriodSums,
  productKeys: Int32Array,
  groups: CategoryGroups,
  isKept: (group: number) => boolean = () => true,
): Buffer {
  const places: number[] = [];
  for (let i = 0; i < sums.nights.length; i++) if (sums.nights[i]! > 0 && isKept(sums.group[i]!)) places.push(i);
  const used = new Map<number, number>();
  const packed = {
    keys: Int32Array.from(places, (i, n) => productKeys[i]! - (n === 0 ? 0 : productKeys[places[n - 1]!]!)),
    nights: Uint16Array.from(places, (i) => sums.nights[i]!),
    shelf: Float64Array.from(places, (i) => sums.sum.shelf[i]!),
    // Mostly nothing.
    saving: Float64Array.from(places, (i) => sums.sum.shelf[i]! - sums.sum.member[i]!),
    group: Int32Array.from(places, (i) => {
      const group = sums.group[i]!;
      if (!used.has(group)) used.set(group, used.size);
      return used.get(group)!;
    }),
  };
  const memberships = [...used.keys()].map((group) => [...groups.members(group)].map((c) => groups.categoryKeys[c]!));
  const header = Buffer.from(JSON.stringify({ products: places.length, memberships }));
  const size = Buffer.alloc(4);
  size.writeUInt32LE(header.length);
  const columns = Object.values(packed).map((column) =>
    Buffer.from(column.buffer, column.byteOffset, column.byteLength),
  );
  return deflateRawSync(Buffer.concat([size, header, ...columns]), { level: 1 });
}

/** `productKeys`: of all products, ascending; those that are no longer among them are left out. */
export function unpackSums(start: string, packed: Buffer, productKeys: Int32Array, groups: CategoryGroups): PeriodSums {
  const bytes = inflateRawSync(packed);
  const headerEnd = 4 + bytes.readUInt32LE(0);
  const { products, memberships } = JSON.parse(bytes.toString('utf8', 4, headerEnd)) as {
    products: number;
    memberships: number[][];
  };
  let offset = headerEnd;
  /** Copied, because columns of numbers must begin at a multiple of their size. */
  const next = (width: number): ArrayBuffer => {
    const column = Uint8Array.prototype.slice.call(bytes, offset, offset + products * width);
    offset += products * width;
    return column.buffer;
  };
  const keys = new Int32Array(next(4));
  const nights = new Uint16Array(next(2));
  const shelf = new Float64Array(next(8));
  const saving = new Float64Array(next(8));
  const group = new Int32Array(next(4));
  const groupOf = memberships.map((categoryKeys) => groups.ofKeys(categoryKeys));

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
