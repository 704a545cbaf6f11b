import { createHash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { ArchiveFull, PayloadLost } from '../../base/errors.ts';
import type { Payload } from '../../base/model/index.ts';
import type { Archive, BodyPlace, PayloadIndex } from './archive.ts';
import { createPackWriter } from './pack.ts';

export const dayMs = 86_400_000;

interface FileArchiveOptions {
  readonly root: string;
  readonly index: PayloadIndex;
  /** Days after which payloads are deleted (ARCHIVE_DAYS); 0: never. */
  readonly keepDays?: number;
}

/** Stores payloads in pack files below `root`, with one folder per day and region. */
export function createFileArchive({ root, index, keepDays = 0 }: FileArchiveOptions): Archive {
  const packs = createPackWriter(root);
  let last: Promise<unknown> = Promise.resolve();

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
        throw isFull(error) ? new ArchiveFull(root, error) : error;
      });
      places.push(...appended);
    }
    await index.add(payloads, runId, places);
  }

  async function getAll(sha256s: readonly string[]): Promise<(Uint8Array | PayloadLost)[]> {
    const places = new Map((await index.places(sha256s)).map((place) => [place.sha256, place]));
    const files = new Map<string, Promise<FileHandle>>();
    const read = async (sha256: string) => {
      const place = places.get(sha256);
      if (!place) throw new PayloadLost(sha256, 'it is not in the archive');
      const opening = files.get(place.pack) ?? open(join(root, place.pack));
      files.set(place.pack, opening);
      const file = await opening.catch((error: NodeJS.ErrnoException) => {
        throw new PayloadLost(
          sha256,
          error.code === 'ENOENT'
            ? `${place.pack} is not in ${root}. A crawl with another PRICEBOOK_HOME or on another machine has its ` +
                `archive there: copy the pack here, or use one shared folder`
            : `its pack cannot be opened (${error.message})`,
        );
      });
      const member = Buffer.alloc(place.storedBytes);
      await file.read(member, 0, place.storedBytes, place.byteOffset);
      const body = unzip(member);
      if (!body || createHash('sha256').update(body).digest('hex') !== sha256)
        throw new PayloadLost(sha256, `it is damaged in ${place.pack}`);
      return body;
    };
    const bodies: (Uint8Array | PayloadLost)[] = [];
    try {
      for (const sha256 of sha256s) {
        const body = await read(sha256).catch((error: unknown) => {
          if (error instanceof PayloadLost) return error;
          throw error;
        });
        bodies.push(body);
      }
      return bodies;
    } finally {
      for (const file of await Promise.allSettled(files.values()))
        if (file.status === 'fulfilled') await file.value.close();
    }
  }

  return {
    // Groups are written one after another: packs have a single writer, and a body in two groups is stored only once.
    put(payloads, runId) {
      const kept = last.then(() => keep(payloads, runId));
      last = kept.catch(() => undefined);
      return kept;
    },

    async get(sha256) {
      const [body] = await getAll([sha256]);
      if (body instanceof PayloadLost) throw body;
      return body!;
    },

    getAll,

    async close() {
      // Payloads are committed in the order in which they came.
      await last;
      await packs.close();
    },
  };
}

/** Whether the device or the user's disk quota is full. */
function isFull(error: unknown): error is Error {
  return error instanceof Error && ['ENOSPC', 'EDQUOT'].includes((error as NodeJS.ErrnoException).code ?? '');
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
