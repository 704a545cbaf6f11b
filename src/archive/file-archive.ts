import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Payload } from '../model/index.ts';
import type { Archive, BodyPlace, PayloadIndex } from './archive.ts';
import { createPackWriter } from './pack.ts';

/** Payloads one write holds. */
const payloadsPerWrite = 64;

/** Payloads in pack files below `root`, a folder per day and region. */
export function createFileArchive({ root, index }: { readonly root: string; readonly index: PayloadIndex }): Archive {
  const packs = createPackWriter(root);
  let waiting: { payload: Payload; runId: number | null; resolve(): void; reject(error: unknown): void }[] = [];
  let isWriting = false;
  let written: Promise<void> = Promise.resolve();

  async function write(): Promise<void> {
    isWriting = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, payloadsPerWrite);
      try {
        await keep(batch);
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isWriting = false;
  }

  async function keep(batch: readonly { payload: Payload; runId: number | null }[]): Promise<void> {
    const bodies = new Map(batch.map(({ payload }) => [payload.sha256, payload]));
    const known = await index.known([...bodies.keys()]);
    const byFolder = new Map<string, Payload[]>();
    for (const payload of bodies.values()) {
      if (known.has(payload.sha256)) continue;
      const folder = folderOf(payload);
      byFolder.set(folder, [...(byFolder.get(folder) ?? []), payload]);
    }
    const places: BodyPlace[] = [];
    for (const [folder, payloads] of byFolder) places.push(...(await packs.append(folder, payloads)));
    await index.add(batch, places);
  }

  return {
    put: (payload, runId) =>
      new Promise((resolve, reject) => {
        waiting.push({ payload, runId, resolve, reject });
        if (!isWriting) written = write();
      }),

    async get(sha256) {
      const place = await index.place(sha256);
      if (!place) throw new Error(`payload ${sha256} is not in the archive`);
      const file = await open(join(root, place.pack));
      try {
        const member = Buffer.alloc(place.storedBytes);
        await file.read(member, 0, place.storedBytes, place.byteOffset);
        const body = gunzipSync(member);
        const found = createHash('sha256').update(body).digest('hex');
        if (found !== sha256) throw new Error(`payload ${sha256} is damaged in ${place.pack}`);
        return body;
      } finally {
        await file.close();
      }
    },

    async close() {
      await written;
      waiting = [];
      await packs.close();
    },
  };
}

function folderOf({ receivedAt, region, listing }: Payload): string {
  return `${receivedAt.toISOString().slice(0, 10)}/${region ?? listing}`;
}
