import { expect, test } from 'vitest';
import { windowAfterFirstPages } from '../../src/crawl/stop-at-drift.ts';
import { createPages } from '../../src/ledger/pages.ts';
import { encodeCategoryId } from '../../src/normalise/category-id.ts';
import { withDatabase } from '../support/database.ts';
import { enlistWorker, openRun } from '../support/open-run.ts';

test('a dispatch that looked before the last of the first pages was settled hands out none of the pages after them', async () => {
  await withDatabase(async ({ db }) => {
    const run = await openRun(db, { pages: 8 });
    const pages = createPages(db);
    const departments = Array.from({ length: 11 }, (_, i) => ({
      categoryNo: i + 2,
      categoryId: encodeCategoryId([`Department ${i + 2}`]),
      rootNo: i + 2,
    }));
    await pages.planCategories(db, run.runId, departments);
    const window = await windowAfterFirstPages({ db, settings: { despiteDrift: false } } as never, run, 64);
    const worker = await enlistWorker(db);
    for (const batch of await pages.takeWindow(db, run.runId, window!, 60_000)) {
      for (const page of await pages.claim(run.runId, batch, worker)) await pages.fail(run.runId, page, 'refused');
    }
    expect(await pages.takeWindow(db, run.runId, window!, 60_000)).toEqual([]);
    expect(await pages.takeWindow(db, run.runId, { batches: 64, lastBatch: null }, 60_000)).toHaveLength(1);
  });
});
