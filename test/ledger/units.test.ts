import { expect, test } from 'vitest';
import { createPages, maxPageAttempts, pageUnits } from '../../src/crawl/ledger/pages.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { withDatabase } from '../support/database.ts';
import { claimAll, enlistWorker, openRun } from '../support/open-run.ts';

test('a resumed run requests failed pages again a limited number of times', async () => {
  await withDatabase(async ({ db }) => {
    const { runId } = await openRun(db, { pages: 1 });
    const worker = await enlistWorker(db);
    let asked = 0;
    for (let command = 0; command < 20; command++) {
      await createPages(db).reviveFailed(runId);
      for (const page of await claimAll(db, runId, worker)) {
        expect(page.attempts).toBe(1);
        asked += 1;
        await pageUnits.fail(db, runId, page, 'HTTP 500');
      }
    }
    expect(asked).toBe(2 * maxPageAttempts);
    expect(await rowsOf(db, 'select status from ops.category_page')).toEqual([{ status: 'failed' }]);
  });
});

test('a returned unit can be claimed again only after a pause', async () => {
  await withDatabase(async ({ db }) => {
    const { runId } = await openRun(db, { pages: 2 });
    const worker = await enlistWorker(db);
    const [first] = await claimAll(db, runId, worker);
    await pageUnits.release(db, runId, first!, { costsAttempt: true, why: 'HTTP 502', restMs: 60_000 });
    const wanted = { runId, workerId: worker, limit: 10, after: null };
    expect(await pageUnits.claim(db, wanted)).toEqual([]);
    const left = await pageUnits.left(db, runId);
    expect(left).toMatchObject({ units: 2 });
    expect(left.freeInMs).toBeGreaterThan(30_000);
    await db.query('update ops.category_page set not_before = null');
    expect(await pageUnits.claim(db, wanted)).toMatchObject([{ pageNo: 1, attempts: 2 }]);
  });
});
