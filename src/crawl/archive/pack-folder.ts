import { randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveFull } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import type { BodyPlace } from './archive.ts';
import { type Body, type Packs, packed } from './packs.ts';

/** Approximate size at which a pack is closed and the next one begins, so that pruning frees disk space in steps. */
const packMaxBytes = 64 * 1024 * 1024;

/** Number of packs open at once: regions alternate, and one day ends while another region still crawls. */
const openPacks = 4;

interface Pack {
  readonly name: string;
  readonly file: FileHandle;
  size: number;
}

/** Packs below `root`. Bodies are appended to one pack per day and region; names never collide between processes. */
export function createPackFolder(root: string): Packs {
  /** By folder, least recently used first. */
  const packs = new Map<string, Pack>();
  let last: Promise<unknown> = Promise.resolve();

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

  async function append(folder: string, bodies: readonly Body[]): Promise<BodyPlace[]> {
    const pack = await packOf(folder);
    const { bytes, places } = packed(pack.name, pack.size, bodies);
    try {
      await pack.file.appendFile(bytes);
      await pack.file.datasync();
    } catch (error) {
      // A partly written member (disk full) would shift all later offsets, so this pack is abandoned.
      packs.delete(folder);
      await pack.file.close().catch(() => undefined);
      throw error;
    }
    pack.size += bytes.length;
    return places;
  }

  return {
    name: root,

    async check() {
      makeFolder(root);
      await access(root, constants.W_OK);
    },

    // One after another: a pack has a single writer.
    append(folder, bodies) {
      const appended = last.then(() => append(folder, bodies));
      last = appended.catch(() => undefined);
      return appended.catch((error: unknown) => {
        throw isFull(error) ? new ArchiveFull(root, error) : error;
      });
    },

    async read(pack, at, bytes) {
      const file = await open(join(root, pack)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null;
        throw error;
      });
      if (!file) return null;
      try {
        const { buffer } = await file.read(Buffer.alloc(bytes), 0, bytes, at);
        return buffer;
      } finally {
        await file.close();
      }
    },

    async *before(day) {
      for (const folder of await entriesOf(root)) {
        if (!/^\d{4}-\d\d-\d\d$/.test(folder) || folder >= day) continue;
        for (const each of await entriesOf(join(root, folder))) {
          const files = await entriesOf(join(root, folder, each));
          yield files.filter((file) => file.endsWith('.pack.gz')).map((file) => `${folder}/${each}/${file}`);
          await removeIfEmpty(join(root, folder, each));
        }
        await removeIfEmpty(join(root, folder));
      }
    },

    remove: (pack) => rm(join(root, pack), { force: true }),

    async close(underWay) {
      await underWay;
      for (const folder of [...packs.keys()]) await finish(folder);
    },
  };
}

/** Whether the device or the user's disk quota is full. */
function isFull(error: unknown): error is Error {
  return error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** Syncs each folder from `deepest` up to `last`: a new file or folder is durable only when its parent is synced. */
async function syncNames(deepest: string, last: string): Promise<void> {
  for (let folder = deepest; ; folder = dirname(folder)) {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
    if (folder === last) return;
  }
}

/** Sorted names in a folder; empty if the folder does not exist. */
async function entriesOf(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
    throw error;
  }
}

async function removeIfEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(error.code ?? '')) throw error;
  });
}
