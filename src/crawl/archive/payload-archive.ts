import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { PayloadLost, PricebookError } from '../../base/errors.ts';
import type { Payload } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import type { Archive } from './archive.ts';
import type { Packs } from './packs.ts';
import { insertPayloads, type PlacedBody, placesOf } from './payload-rows.ts';

/** Bodies of a pack that are at most this far apart are read together. */
const gapBytes = 64 * 1024;

/** Stores payloads in packs, and their places in the database. */
export function createArchive({ packs, db }: { readonly packs: Packs; readonly db: Queryable }): Archive {
  const underWay = new Set<Promise<unknown>>();
  let isDoubted = false;
  let checking: Promise<void> | null = null;

  async function keep(payloads: readonly Payload[], runId: number | null): Promise<void> {
    const [first] = payloads;
    if (!first) return;
    const bodies = payloads.map(({ body }) => body);
    const places = await packs.append(dayOf(first.receivedAt), bodies).catch((error: unknown) => {
      isDoubted = true;
      throw error;
    });
    await insertPayloads(db, payloads, runId, places);
  }

  /** Bodies that lie together, by hash. */
  async function readRange(range: readonly PlacedBody[]): Promise<[string, Uint8Array | PayloadLost][]> {
    const { pack, byteOffset: from } = range[0]!;
    const found = await packs.read(pack, from, endOf(range) - from).catch((error: unknown) => {
      if (error instanceof PricebookError) throw error;
      return error as Error;
    });
    return range.map(({ sha256, byteOffset, storedBytes }) => {
      const lost = (what: string): [string, PayloadLost] => [sha256, new PayloadLost(sha256, what)];
      if (found === null)
        return lost(
          `${pack} is not in ${packs.name}. A crawl with another PRICEBOOK_HOME or ARCHIVE, or on another machine, ` +
            'has its packs there: copy them here, or use one shared folder or bucket',
        );
      if (found instanceof Error) return lost(`its pack cannot be opened (${found.message})`);
      const body = unzip(found.subarray(byteOffset - from, byteOffset - from + storedBytes));
      const isWhole = body && createHash('sha256').update(body).digest('hex') === sha256;
      return isWhole ? [sha256, body] : lost(`it is damaged in ${pack}`);
    });
  }

  async function getAll(sha256s: readonly string[]): Promise<(Uint8Array | PayloadLost)[]> {
    const ranges = rangesOf(await placesOf(db, sha256s));
    const bodies = new Map((await Promise.all(ranges.map(readRange))).flat());
    return sha256s.map((sha256) => bodies.get(sha256) ?? new PayloadLost(sha256, 'it is not in the archive'));
  }

  return {
    async ready() {
      if (!isDoubted) return;
      checking ??= packs
        .check()
        .then(() => {
          isDoubted = false;
        })
        .finally(() => {
          checking = null;
        });
      await checking;
    },

    async put(payloads, runId) {
      const kept = keep(payloads, runId);
      underWay.add(kept);
      await kept.finally(() => underWay.delete(kept));
    },

    async get(sha256) {
      const [body] = await getAll([sha256]);
      if (body instanceof PayloadLost) throw body;
      return body!;
    },

    getAll,

    async close() {
      const closed = packs.close();
      await Promise.allSettled(underWay);
      await closed;
    },
  };
}

/** Places in the order of their packs, those close together as one range. */
function rangesOf(places: readonly PlacedBody[]): PlacedBody[][] {
  const ranges: PlacedBody[][] = [];
  const inOrder = [...places].sort((a, b) =>
    a.pack === b.pack ? a.byteOffset - b.byteOffset : a.pack < b.pack ? -1 : 1,
  );
  for (const place of inOrder) {
    const last = ranges.at(-1);
    if (last?.[0]?.pack === place.pack && place.byteOffset - endOf(last) <= gapBytes) last.push(place);
    else ranges.push([place]);
  }
  return ranges;
}

function endOf(range: readonly PlacedBody[]): number {
  const { byteOffset, storedBytes } = range.at(-1)!;
  return byteOffset + storedBytes;
}

function unzip(member: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(member, { maxOutputLength: 64 * 1024 * 1024 });
  } catch {
    return null;
  }
}

/** YYYY-MM-DD in UTC. */
export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}
