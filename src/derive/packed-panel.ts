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
  const used = new Map<number, number>();
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
    let name = used.get(g);
    if (name === undefined) {
      name = used.size;
      used.set(g, name);
    }
    packed.group[n++] = name;
  }
  const memberships = [...used.keys()].map((each) => [...groups.members(each)].map((c) => groups.categoryKeys[c]!));
  const header = Buffer.from(JSON.stringify({ products, memberships }));
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
