import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { BodyPlace } from './archive.ts';

/** Approximate size at which a pack is closed and the next one begins, so that pruning frees disk space in steps. */
const packMaxBytes = 64 * 1024 * 1024;

interface PackWriter {
  /**
   * Appends bodies, each as its own gzip member: `zcat` reads the whole pack, and a range read returns one body.
   * Resolves when they are synced to disk, because the ledger must not refer to data that a power failure can lose.
   */
  append(
    folder: string,
    bodies: readonly { readonly sha256: string; readonly body: Uint8Array }[],
  ): Promise<BodyPlace[]>;
  close(): Promise<void>;
}

/** Number of packs open at once: regions alternate, and one day ends while another region still crawls. */
const openPacks = 4;

interface Pack {
  readonly name: string;
  readonly file: FileHandle;
  size: number;
}

/** Writes packs below `root`, one per folder at a time. Names never collide between processes. Not re-entrant. */
export function createPackWriter(root: string): PackWriter {
  /** By folder, least recently used first. */
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
        // A partly written member (disk full) would shift all later offsets, so this pack is abandoned.
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

/** Syncs each folder from `deepest` up to `last`: a new file or folder is durable only when its parent is synced. */
async function syncNames(deepest: string, last: string): Promise<void> {
  for (let folder = deepest; ; folder = dirname(folder)) {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
    if (folder === last) return;
  }
}
