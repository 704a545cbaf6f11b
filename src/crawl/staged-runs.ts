import type { Database } from '../db/client.ts';
import type { Ownership } from '../ledger/ownership.ts';
import type { StagedRun } from '../stage/category-page.ts';
import { readCategoryNos } from '../stage/taxonomy.ts';
import type { CrawlContext } from './context.ts';

/** Runs with their taxonomy's ranks, read once per run and process. */
export function createStagedRuns(db: Database, ownership: Ownership): CrawlContext['stagedRun'] {
  const cache = new Map<number, Promise<ReadonlyMap<string, number>>>();
  return async (runId) => {
    const run = await ownership.take(runId);
    if (!run) {
      cache.delete(runId);
      return null;
    }
    let categoryNos = cache.get(runId);
    if (!categoryNos) {
      categoryNos = readCategoryNos(db, runId);
      cache.set(runId, categoryNos);
      // What could not be read is asked again.
      categoryNos.catch(() => cache.delete(runId));
    }
    const staged: StagedRun = { runId, epoch: run.epoch, region: run.region, categoryNos: await categoryNos };
    return { ...staged, run };
  };
}
