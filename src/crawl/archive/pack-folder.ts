import { randomUUID } from 'node:crypto';
import { access, constants, type FileHandle, mkdir, open, readdir, rm, rmdir } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import pLimit from 'p-limit';
import { ArchiveFull } from '../../base/errors.ts';
import { makeFolder } from '../../base/make-folder.ts';
import { type Packs, type Place, packed } from './packs.ts';

/** Approximate size at which a pack is closed and the next one begins, so that pruning frees disk space in steps. */
const packMaxBytes = 64 * 1024 * 1024;

interface Pack {
  readonly day: string;
  readonly name: string;
  readonly file: FileHandle;
  size: number;
}

/** Packs below `root`. A process appends to one pack at a time; names never collide between processes. */
export function createPackFolder(root: string): Packs {
  let current: Pack | null = null;
  // A pack has a single writer.
  const oneByOne = pLimit(1);

  async function finish(): Promise<void> {
    const pack = current;
    current = null;
    await pack?.file.close();
  }

  async function packOf(day: string): Promise<Pack> {
    if (current?.day === day && current.size <= packMaxBytes) return current;
    await finish();
    const name = `${day}/${randomUUID()}.pack.gz`;
    const folder = join(root, day);
    const firstNew = await mkdir(folder, { recursive: true, mode: 0o700 });
    current = { day, name, file: await open(join(root, name), 'ax', 0o600), size: 0 };
    await syncNames(folder, dirname(firstNew ?? join(root, name)));
    return current;
  }

  async function append(day: string, bodies: readonly Uint8Array[]): Promise<Place[]> {
    const pack = await packOf(day);
    const { bytes, places } = await packed(pack.name, pack.size, bodies);
    try {
      await pack.file.appendFile(bytes);
      await pack.file.datasync();
    } catch (error) {
      // A partly written member (disk full) would shift all later offsets, so this pack is abandoned.
      await finish().catch(() => undefined);
      throw error;
    }
    pack.size += bytes.length;
    return places;
  }

  return {
    name: root,

    async check() {
      makeFolder(root, 0o700);
      await access(root, constants.W_OK);
    },

    append: (day, bodies) =>
      oneByOne(() => append(day, bodies)).catch((error: unknown) => {
        throw isFull(error) ? new ArchiveFull(root, error.message, error) : error;
      }),

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

    async before(day) {
      const names = await readdir(root, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return [];
        throw error;
      });
      return names.map((name) => name.replaceAll(sep, '/')).filter((name) => isPack(name) && name < day);
    },

    async remove(pack) {
      await rm(join(root, pack), { force: true });
      // Fails while the folder has other packs.
      await rmdir(join(root, dirname(pack))).catch(() => undefined);
    },

    close: () => oneByOne(finish),
  };
}

const isPack = (name: string) => /^\d{4}-\d\d-\d\d\/[^/]+\.pack\.gz$/.test(name);

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
