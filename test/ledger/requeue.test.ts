import { expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createPages, maxPageAttempts } from '../../src/ledger/pages.ts';
import { requeueCutOff } from '../../src/ledger/requeue.ts';
import { withDatabase } from '../support/database.ts';
import { claimAll, enlistWorker, openRun } from '../support/open-run.ts';

test('a command that goes on with a run asks again for pages that were given up, but not without end', async () => {
  await withDatabase(async ({ db }) => {
    const { runId } = await openRun(db, { pages: 1 });
    const pages = createPages(db);
    const worker = await enlistWorker(db);
    let asked = 0;
    for (let command = 0; command < 20; command++) {
      await requeueCutOff(db, runId);
      for (const page of await claimAll(db, runId, worker)) {
        expect(page.attempts).toBe(1);
        asked += 1;
        await pages.fail(runId, page, 'HTTP 500');
      }
    }
    expect(asked).toBe(2 * maxPageAttempts);
    expect(await rowsOf(db, 'select status from ops.category_page')).toEqual([{ status: 'failed' }]);
  });
});
