import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BodyPlace } from './archive.ts';

/** A pack grows to about this size; then the next one is begun, so that pruning frees disk in useful pieces. */
const packMaxBytes = 64 * 1024 * 1024;

interface PackWriter {
  /**
   * Appends bodies, each a gzip member of its own: `zcat` reads the whole pack, a range read one body. They are on the
   * disk when it
   * resolves: the ledger, which is synced, must not name what a power cut takes.
   */
  append(
    folder: string,
    bodies: readonly { readonly sha256: string; readonly body: Uint8Array }[],
  ): Promise<BodyPlace[]>;
  close(): Promise<void>;
}

/** Packs open at once: regions take turns, and a day ends while the other region still crawls. */
const openPacks = 4;

interface Pack {
  readonly name: string;
  readonly file: FileHandle;
  size: number;
}

/** Writes packs below `root`, one per folder at a time; names never collide between processes. Not re-entrant. */
export function createPackWriter(root: string): PackWriter {
  /** By folder, the one used last at the end. */
  const packs = new Map<string, Pack>();

  async function finish(folder: string): Promise<void> {
    const pack = packs.get(folder);
    packs.delete(folder);
    await pack?.file.close();
  }

  async function packOf(folder: string): Promise<Pack> {
    const known = packs.get(folder);
    if (known && known.size <= packMaxBytes) {
      packs.delete(folder);
      packs.set(folder, known);
      return known;
    }
    await finish(folder);
    if (packs.size >= openPacks) await finish(packs.keys().next().value!);
    const name = `${folder}/${randomUUID()}.pack.gz`;
    const firstNew = await mkdir(dirname(join(root, name)), { recursive: true, mode: 0o700 });
    const pack = { name, file: await open(join(root, name), 'ax', 0o600), size: 0 };
    await syncNames(dirname(join(root, name)), dirname(firstNew ?? join(root, name)));
    packs.set(folder, pack);
    return pack;
  }

  return {
    async append(folder, bodies) {
      const pack = await packOf(folder);
      const members = bodies.map(({ body }) => gzipSync(body, { level: 1 }));
      let byteOffset = pack.size;
      const places = bodies.map(({ sha256, body }, i) => {
        const place = { sha256, pack: pack.name, byteOffset, storedBytes: members[i]!.length, rawBytes: body.length };
        byteOffset += place.storedBytes;
        return place;
      });
      try {
        await pack.file.appendFile(Buffer.concat(members));
        await pack.file.datasync();
      } catch (error) {
        // A partly written member (disk full) would shift every offset after it: leave this pack as it is.
        packs.delete(folder);
        await pack.file.close().catch(() => undefined);
        throw error;
      }
      pack.size = byteOffset;
      return places;
    },
    async close() {
      for (const folder of [...packs.keys()]) await finish(folder);
    },
  };
}

/** A file's name is part of its folder, and so are the names of new folders: from the deepest up to the last. */
async function syncNames(deepest: string, last: string): Promise<void> {
  for (let folder = deepest; ; folder = dirname(folder)) {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
    if (folder === last) return;
  }
}
