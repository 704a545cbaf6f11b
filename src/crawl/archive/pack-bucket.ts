import { randomUUID } from 'node:crypto';
import type { Bucket } from '../../base/bucket.ts';
import { readWhole } from '../../base/bucket-requests.ts';
import { DestinationUnusable } from '../../base/errors.ts';
import { type Packs, packed } from './packs.ts';

/**
 * Packs in a bucket, one object per group of payloads, below a folder for the book: books that share a bucket do not
 * delete each other's packs.
 */
export function createPackBucket(bucket: Bucket, readBookId: () => Promise<string | null>): Packs {
  const closing = new AbortController();
  const { signal } = closing;
  let book: string | null = null;
  const folderOfBook = async () => {
    book ??= await readBookId();
    return book ?? 'no-book';
  };

  return {
    name: bucket.name,

    async check() {
      const key = `check-${randomUUID()}`;
      await bucket.write(key, key, signal);
      const found = await bucket.read(key, signal, (body) => readWhole(body, key.length));
      await bucket.remove(key, signal);
      if (found?.toString() !== key)
        throw new DestinationUnusable(bucket.name, 'it returns other bytes than were written');
    },

    async append(day, bodies) {
      const pack = `${day}/${randomUUID()}.pack.gz`;
      const { bytes, places } = await packed(pack, 0, bodies);
      await bucket.write(`${await folderOfBook()}/${pack}`, bytes, signal);
      return places;
    },

    read: async (pack, at, bytes) =>
      bucket.read(`${await folderOfBook()}/${pack}`, signal, (body) => readWhole(body, bytes), { at, bytes }),

    async before(day) {
      const folder = await folderOfBook();
      const packs: string[] = [];
      for await (const keys of bucket.list(folder, signal)) {
        const older = keys.map((key) => key.slice(folder.length + 1)).filter((pack) => pack < day);
        packs.push(...older);
        // Keys are in alphabetical order.
        if (older.length < keys.length) break;
      }
      return packs;
    },

    remove: async (pack) => bucket.remove(`${await folderOfBook()}/${pack}`, signal),

    async close() {
      // An unreachable bucket would delay the end.
      closing.abort(new Error('the archive was closed'));
    },
  };
}
