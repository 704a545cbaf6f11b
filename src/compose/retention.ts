import { type Pruned, pruneArchive } from '../archive/prune.ts';
import { type Folded, foldLedger } from '../ledger/fold.ts';
import { createPackIndex } from '../ledger/forget-payloads.ts';
import { archiveOf } from './archive.ts';
import type { Base } from './data.ts';

/** Forgets archived payloads older than some days. */
export function composePruning({ config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>) {
  return (days: number): Promise<Pruned> =>
    pruneArchive({ root: archiveOf(config), index: createPackIndex(db) }, clock.now(), days);
}

/** Folds pages, details and payloads of runs that are older than some days (0: none). */
export function composeFolding({ clock, db }: Pick<Base, 'clock' | 'db'>) {
  return async (days: number, signal?: AbortSignal): Promise<Folded> => {
    if (days === 0) return { runs: 0, rows: 0 };
    const before = new Date(clock.now().getTime() - days * dayMs);
    return foldLedger(db, signal ? { before, signal } : { before });
  };
}

const dayMs = 86_400_000;
