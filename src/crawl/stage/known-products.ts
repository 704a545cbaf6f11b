import type { RegionCode } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { copyBinary } from '../../db/copy-binary.ts';

/** A product in the catalogue. */
export interface KnownProduct {
  readonly key: number;
  /** Whether its current listing has this hash. */
  isListedAs(hash: string): boolean;
}

/** Looks up a product of the region by id; null if the catalogue does not have it. */
export type KnownProducts = (productId: string) => KnownProduct | null;

/** Each record is key, hash, length of the id, id. */
const keyBytes = 4;
const hashBytes = 16;
const idAt = keyBytes + hashBytes + 2;

/**
 * Reads a region's products into one buffer, about 35 bytes each, with a hash table over their ids. One object per
 * product would need ten times the memory.
 */
export async function readKnownProducts(db: Database, region: RegionCode): Promise<KnownProducts> {
  const [bytes = Buffer.alloc(0)] = await db.tx((tx) =>
    copyBinary(tx, selectAll, [region], ([all]) => all ?? undefined),
  );
  const starts: number[] = [];
  for (let at = 0; at < bytes.length; at += idAt + bytes.readUInt16BE(at + idAt - 2)) starts.push(at);
  const mask = 2 ** Math.ceil(Math.log2(starts.length * 2 + 2)) - 1;
  const table = new Int32Array(mask + 1).fill(-1);
  for (const at of starts) {
    const end = at + idAt + bytes.readUInt16BE(at + idAt - 2);
    let slot = hashOf(bytes.toString('latin1', at + idAt, end)) & mask;
    while (table[slot]! >= 0) slot = (slot + 1) & mask;
    table[slot] = at;
  }

  return (productId) => {
    const id = /[^\0-\x7f]/.test(productId) ? Buffer.from(productId).toString('latin1') : productId;
    for (let slot = hashOf(id) & mask; ; slot = (slot + 1) & mask) {
      const at = table[slot]!;
      if (at < 0) return null;
      if (isId(at, id)) return { key: bytes.readInt32BE(at), isListedAs: (hash) => hash === hashAt(at + keyBytes) };
    }
  };

  function isId(at: number, id: string): boolean {
    if (bytes.readUInt16BE(at + idAt - 2) !== id.length) return false;
    for (let i = 0; i < id.length; i++) if (bytes[at + idAt + i] !== id.charCodeAt(i)) return false;
    return true;
  }

  function hashAt(at: number): string {
    const hex = bytes.toString('hex', at, at + hashBytes);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }
}

/** FNV-1a over the id's bytes. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

const selectAll = `
  select string_agg(int4send(product_key) || uuid_send(entry_hash) || int2send(octet_length(product_id)::int2)
    || convert_to(product_id, 'UTF8'), ''::bytea)
  from catalog.product where region = $1 and replaced_at is null`;
