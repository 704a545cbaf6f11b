import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BodyPlace } from './archive.ts';

/** A pack grows to about this size; then the next one is begun, so that pruning frees disk in useful pieces. */
const packMaxBytes = 64 * 1024 * 1024;

export interface PackWriter {
  /** Appends bodies, each a gzip member of its own: `zcat` reads the whole pack, a range read one body. */
  append(
    folder: string,
    bodies: readonly { readonly sha256: string; readonly body: Uint8Array }[],
  ): Promise<BodyPlace[]>;
  close(): Promise<void>;
}

/** Writes packs below `root`, one at a time per process; names never collide between processes. Not re-entrant. */
export function createPackWriter(root: string): PackWriter {
  let current: { folder: string; name: string; file: FileHandle; size: number } | null = null;

  async function finish(): Promise<void> {
    if (!current) return;
    const { file } = current;
    current = null;
    await file.datasync().finally(() => file.close());
  }

  return {
    async append(folder, bodies) {
      if (current && (current.folder !== folder || current.size > packMaxBytes)) await finish();
      if (!current) {
        const name = `${folder}/${randomUUID()}.pack.gz`;
        await mkdir(dirname(join(root, name)), { recursive: true, mode: 0o700 });
        current = { folder, name, file: await open(join(root, name), 'ax', 0o600), size: 0 };
      }
      const pack = current;
      const members = bodies.map(({ body }) => gzipSync(body, { level: 1 }));
      let byteOffset = pack.size;
      const places = bodies.map(({ sha256, body }, i) => {
        const place = { sha256, pack: pack.name, byteOffset, storedBytes: members[i]!.length, rawBytes: body.length };
        byteOffset += place.storedBytes;
        return place;
      });
      try {
        await pack.file.appendFile(Buffer.concat(members));
      } catch (error) {
        // A partly written member (disk full) would shift every offset after it: leave this pack as it is.
        current = null;
        await pack.file.close().catch(() => undefined);
        throw error;
      }
      pack.size = byteOffset;
      return places;
    },
    close: finish,
  };
}
