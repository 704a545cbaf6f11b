import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { PayloadLost, PricebookError } from '../../base/errors.ts';
import type { Payload } from '../../base/model/index.ts';
import type { Archive, BodyPlace, PayloadIndex } from './archive.ts';
import type { Packs } from './packs.ts';

export const dayMs = 86_400_000;

/** Bodies of a pack that are at most this far apart are read together. */
const gapBytes = 64 * 1024;

interface ArchiveOptions {
  readonly packs: Packs;
  readonly index: PayloadIndex;
  /** Days after which payloads are deleted (ARCHIVE_DAYS); 0: never. */
  readonly keepDays?: number;
}

/** Stores payloads in packs, with one folder per day and region. */
export function createArchive({ packs, index, keepDays = 0 }: ArchiveOptions): Archive {
  let underWay: Promise<unknown> = Promise.resolve();
  let isDoubted = false;
  let checking: Promise<void> | null = null;

  async function keep(payloads: readonly Payload[], runId: number | null): Promise<void> {
    const [first] = payloads;
    if (!first) return;
    const bodies = new Map(payloads.map((payload) => [payload.sha256, payload]));
    const known = await index.known([...bodies.keys()], firstLastingDay(first.receivedAt, keepDays));
    const byFolder = new Map<string, Payload[]>();
    for (const payload of bodies.values()) {
      if (known.has(payload.sha256)) continue;
      const folder = folderOf(payload);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), payload]);
    }
    const places: BodyPlace[] = [];
    for (const [folder, fresh] of byFolder) {
      const appended = await packs.append(folder, fresh).catch((error: unknown) => {
        isDoubted = true;
        throw error;
      });
      places.push(...appended);
    }
    await index.add(payloads, runId, places);
  }

  /** Bodies that lie together, by hash. */
  async function readRange(range: readonly BodyPlace[]): Promise<[string, Uint8Array | PayloadLost][]> {
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
    const ranges = rangesOf(await index.places(sha256s));
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

    put(payloads, runId) {
      const kept = keep(payloads, runId);
      underWay = Promise.allSettled([underWay, kept]);
      return kept;
    },

    async get(sha256) {
      const [body] = await getAll([sha256]);
      if (body instanceof PayloadLost) throw body;
      return body!;
    },

    getAll,
    close: () => packs.close(underWay),
  };
}

/** Places in the order of their packs, those close together as one range. */
function rangesOf(places: readonly BodyPlace[]): BodyPlace[][] {
  const ranges: BodyPlace[][] = [];
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

function endOf(range: readonly BodyPlace[]): number {
  const { byteOffset, storedBytes } = range.at(-1)!;
  return byteOffset + storedBytes;
}

function unzip(member: Uint8Array): Uint8Array | null {
  try {
    return gunzipSync(member);
  } catch {
    return null;
  }
}

/**
 * First day (UTC) whose packs outlive `days` days. A body in an older pack is stored again when it is received again,
 * so that a new payload never refers to a pack that may be deleted the same day. Null: packs are never deleted.
 */
function firstLastingDay(now: Date, days: number): string | null {
  return days === 0 ? null : dayOf(new Date(now.getTime() - (days - 1) * dayMs));
}

export function dayOf(instant: Date): string {
  return instant.toISOString().slice(0, 10);
}

function folderOf({ receivedAt, region, listing }: Payload): string {
  return `${dayOf(receivedAt)}/${region ?? listing}`;
}
