import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { dayMs, dayOf } from './file-archive.ts';

/** References from the ledger to packs. */
export interface PackIndex {
  /** Deletes payloads received before the instant that nothing needs, and locations of bodies without payloads. */
  forget(before: Date): Promise<number>;
  /** Subset of `packs` that still hold a referenced body. */
  referenced(packs: readonly string[]): Promise<ReadonlySet<string>>;
}

export interface Pruned {
  readonly payloads: number;
  readonly packs: number;
}

/**
 * Deletes payloads older than `days` days (0: none). Rows go first, files second: a crash in between leaves
 * unreferenced packs, which the next run deletes. Packs younger than `days` are never touched, because another process
 * may be writing them.
 */
export async function pruneArchive(
  { root, index }: { readonly root: string; readonly index: PackIndex },
  now: Date,
  days: number,
): Promise<Pruned> {
  if (days === 0) return { payloads: 0, packs: 0 };
  const before = new Date(now.getTime() - days * dayMs);
  const payloads = await index.forget(before);
  let packs = 0;
  for (const day of await entriesOf(root)) {
    if (!/^\d{4}-\d\d-\d\d$/.test(day) || day >= dayOf(before)) continue;
    for (const folder of await entriesOf(join(root, day))) packs += await sweep(`${day}/${folder}`);
    await removeIfEmpty(join(root, day));
  }
  return { payloads, packs };

  async function sweep(folder: string): Promise<number> {
    const found = (await entriesOf(join(root, folder))).map((file) => `${folder}/${file}`);
    const referenced = await index.referenced(found);
    const orphans = found.filter((pack) => pack.endsWith('.pack.gz') && !referenced.has(pack));
    for (const pack of orphans) await rm(join(root, pack), { force: true });
    await removeIfEmpty(join(root, folder));
    return orphans.length;
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
