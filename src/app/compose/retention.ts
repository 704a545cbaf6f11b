import { type Pruned, pruneArchive } from '../../crawl/archive/prune.ts';
import { createPackIndex } from '../../crawl/ledger/forget-payloads.ts';
import { archiveOf } from './archive.ts';
import type { Base } from './data.ts';

/** Deletes archived payloads, pages and details older than a number of days. */
export function composePruning({ config, clock, db }: Pick<Base, 'config' | 'clock' | 'db'>) {
  return (days: number): Promise<Pruned> =>
    pruneArchive({ root: archiveOf(config), index: createPackIndex(db) }, clock.now(), days);
}
