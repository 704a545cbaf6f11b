import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

/** Where packs are stored: a folder or a bucket. Names are the same in both: `2026-03-01/<uuid>.pack.gz`. */
export interface Packs {
  /** Folder or URL, for messages. */
  readonly name: string;
  /** Throws unless payloads can be stored now. */
  check(): Promise<void>;
  /**
   * Stores bodies in a pack of the day (YYYY-MM-DD). Resolves to their places, in the same order, when neither a crash
   * nor a power failure can lose them.
   */
  append(day: string, bodies: readonly Uint8Array[]): Promise<Place[]>;
  /** Bytes of a pack; null: the pack does not exist. */
  read(pack: string, at: number, bytes: number): Promise<Buffer | null>;
  /** Packs of days before `day`. */
  before(day: string): Promise<readonly string[]>;
  remove(pack: string): Promise<void>;
  /** Stops waiting for a server, and closes the open pack after the last write. */
  close(): Promise<void>;
}

/** The gzip member of `storedBytes` at `byteOffset` of a pack. */
export interface Place {
  /** Path relative to the archive, with `/` as separator. */
  readonly pack: string;
  readonly byteOffset: number;
  readonly storedBytes: number;
}

const compressed = promisify(gzip);

/** Bodies as part of a pack, each as its own gzip member: `zcat` reads a whole pack, and a range is one body. */
export async function packed(
  pack: string,
  at: number,
  bodies: readonly Uint8Array[],
): Promise<{ bytes: Buffer; places: Place[] }> {
  const members = await Promise.all(bodies.map((body) => compressed(body, { level: 1 })));
  let byteOffset = at;
  const places = members.map(({ length: storedBytes }) => {
    const place = { pack, byteOffset, storedBytes };
    byteOffset += storedBytes;
    return place;
  });
  return { bytes: Buffer.concat(members), places };
}
