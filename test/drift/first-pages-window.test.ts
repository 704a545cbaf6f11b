import { expect, test } from 'vitest';
import { createPages, pageUnits } from '../../src/crawl/ledger/pages.ts';
import { afterFirstPages } from '../../src/crawl/stop-at-drift.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { withDatabase } from '../support/database.ts';
import { enlistWorker, openRun } from '../support/open-run.ts';

test('only the first pages of the first categories are requested until they are judged', async () => {
  await withDatabase(async ({ db }) => {
    const run = await openRun(db, { pages: 8 });
    const departments = Array.from({ length: 11 }, (_, i) => ({
      categoryNo: i + 2,
      categoryId: encodeCategoryId([`Department ${i + 2}`]),
      rootNo: i + 2,
    }));
    await createPages(db).planCategories(db, run.runId, departments);
    const context = { db, settings: { despiteDrift: false }, findBreakingDrift: async () => [] } as never;
    expect(await afterFirstPages(context, run)).toEqual({ firstPagesUpTo: 8 });
    const workerId = await enlistWorker(db);
    const wanted = { runId: run.runId, workerId, limit: 100, after: null };
    const first = await pageUnits.claim(db, { ...wanted, where: 'u.page_no = 1 and u.category_no <= 8' });
    expect(first).toHaveLength(8);
    for (const page of first.slice(1)) await pageUnits.fail(db, run.runId, page, 'refused');
    expect(await afterFirstPages(context, run)).toEqual({ firstPagesUpTo: 8 });
    await pageUnits.fail(db, run.runId, first[0]!, 'HTTP 500');
    await db.query('update ops.category_page set attempts = 4 where category_no = 1 and page_no = 1');
    expect(await afterFirstPages(context, run)).toBe('all');
  });
});
