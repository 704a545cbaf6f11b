import type { Packs } from './packs.ts';
import { dayMs, dayOf } from './payload-archive.ts';

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
 * Deletes payloads older than `days` days (0: none). Rows go first, packs second: a crash in between leaves
 * unreferenced packs, which the next run deletes. Packs younger than `days` are never touched, because another process
 * may be writing them.
 */
export async function pruneArchive(
  { packs, index }: { readonly packs: Pick<Packs, 'before' | 'remove'>; readonly index: PackIndex },
  now: Date,
  days: number,
): Promise<Pruned> {
  if (days === 0) return { payloads: 0, packs: 0 };
  const before = new Date(now.getTime() - days * dayMs);
  const payloads = await index.forget(before);
  let removed = 0;
  for await (const found of packs.before(dayOf(before))) {
    const referenced = await index.referenced(found);
    for (const pack of found) {
      if (referenced.has(pack)) continue;
      await packs.remove(pack);
      removed += 1;
    }
  }
  return { payloads, packs: removed };
}
