import { gzipSync } from 'node:zlib';
import type { BodyPlace } from './archive.ts';

/** Where packs are stored: a folder or a bucket. Names are the same in both: `2026-03-01/uk/<uuid>.pack.gz`. */
export interface Packs {
  /** Folder or URL, for messages. */
  readonly name: string;
  /** Throws unless payloads can be stored now. */
  check(): Promise<void>;
  /** Stores bodies below `folder`. Resolves when neither a crash nor a power failure can lose them. */
  append(folder: string, bodies: readonly Body[]): Promise<BodyPlace[]>;
  /** Bytes of a pack; null: the pack does not exist. */
  read(pack: string, at: number, bytes: number): Promise<Buffer | null>;
  /** Packs of days before `day` (YYYY-MM-DD), in groups. */
  before(day: string): AsyncIterable<readonly string[]>;
  remove(pack: string): Promise<void>;
  /** Closes it when the payloads that are being stored have settled. */
  close(underWay: Promise<unknown>): Promise<void>;
}

export interface Body {
  readonly sha256: string;
  readonly body: Uint8Array;
}

/** Bodies as part of a pack, each as its own gzip member: `zcat` reads a whole pack, and a range is one body. */
export function packed(pack: string, at: number, bodies: readonly Body[]): { bytes: Buffer; places: BodyPlace[] } {
  const members = bodies.map(({ body }) => gzipSync(body, { level: 1 }));
  let byteOffset = at;
  const places = bodies.map(({ sha256, body }, i) => {
    const place = { sha256, pack, byteOffset, storedBytes: members[i]!.length, rawBytes: body.length };
    byteOffset += place.storedBytes;
    return place;
  });
  return { bytes: Buffer.concat(members), places };
}
