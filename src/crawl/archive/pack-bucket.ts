import { randomUUID } from 'node:crypto';
import { DestinationUnusable } from '../../base/errors.ts';
import type { Bucket } from '../../gateway/bucket.ts';
import { readWhole } from '../../gateway/bucket-requests.ts';
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

    async append(folder, bodies) {
      const pack = `${folder}/${randomUUID()}.pack.gz`;
      const { bytes, places } = packed(pack, 0, bodies);
      await bucket.write(`${await folderOfBook()}/${pack}`, bytes, signal);
      return places;
    },

    read: async (pack, at, bytes) =>
      bucket.read(`${await folderOfBook()}/${pack}`, signal, (body) => readWhole(body, bytes), { at, bytes }),

    async *before(day) {
      const folder = await folderOfBook();
      for await (const keys of bucket.list(folder, signal)) {
        const packs = keys.map((key) => key.slice(folder.length + 1)).filter((pack) => pack < day);
        yield packs;
        // Keys are in alphabetical order.
        if (packs.length < keys.length) return;
      }
    },

    remove: async (pack) => bucket.remove(`${await folderOfBook()}/${pack}`, signal),

    async close(underWay) {
      // An unreachable bucket would delay the end.
      closing.abort(new Error('the archive was closed'));
      await underWay;
    },
  };
}
