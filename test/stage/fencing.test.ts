import { beforeEach, describe, expect, test } from 'vitest';
import { ClaimLost } from '../../src/base/errors.ts';
import type { ClaimedPage } from '../../src/crawl/kinds/pages.ts';
import { abandonRun } from '../../src/crawl/run/end.ts';
import { createRuns, type Run } from '../../src/crawl/run/runs.ts';
import { move } from '../../src/crawl/run/transitions.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { claimAll, enlistWorker, listed, openRun, readOf, stageAll, stageOne } from '../support/open-run.ts';

describe('staging a page', () => {
  const database = useDatabase();
  let run: Run;
  let workerId: string;
  beforeEach(async () => {
    await forgetEverything(database.db);
    run = await openRun(database.db);
    workerId = await enlistWorker(database.db);
  });

  test('a page is not staged twice: the second time nobody has claimed it', async () => {
    const [first] = await claimAll(database.db, run.runId, workerId);
    await stageOne(database.db, readOf(run, first!, [listed('11')]));
    await expect(stageOne(database.db, readOf(run, first!, [listed('12')]))).rejects.toThrow(ClaimLost);
    expect(await state()).toEqual({ done: [1], staged: ['1:11'] });
  });

  test('a page is not staged by a worker presumed dead after another has claimed it', async () => {
    const dead = await enlistWorker(database.db, -1);
    const [stale] = await claimAll(database.db, run.runId, dead);
    const [fresh] = await claimAll(database.db, run.runId, workerId);
    expect(fresh!.claimToken).toBe(stale!.claimToken + 1);
    await expect(stageOne(database.db, readOf(run, stale!, [listed('66')]))).rejects.toThrow(ClaimLost);
    expect(await state()).toEqual({ done: [], staged: [] });
    await stageOne(database.db, readOf(run, fresh!, [listed('11')]));
    expect(await state()).toEqual({ done: [1], staged: ['1:11'] });
  });

  test('a page is not staged by a slow worker after its run was abandoned', async () => {
    const [first] = await claimAll(database.db, run.runId, workerId);
    await abandonRun({ db: database.db, runs: createRuns(database.db) }, run.runId, run.observedAt);
    await expect(staleStage(first!)).rejects.toThrow(ClaimLost);
    expect(await state()).toEqual({ done: [], staged: [] });
  });

  function staleStage(page: ClaimedPage): Promise<void> {
    return stageOne(database.db, readOf(run, page, [listed('66')]));
  }

  test('pages of a group are staged together, each by its own token', async () => {
    const pages = await claimAll(database.db, run.runId, workerId);
    const reads = [
      readOf(run, pages[0]!, [listed('11')]),
      readOf(run, { ...pages[1]!, claimToken: pages[1]!.claimToken - 1 }, [listed('66')]),
      readOf(run, pages[2]!, [listed('13')]),
    ];
    expect(await stageAll(database.db, reads)).toEqual([reads[0], reads[2]]);
    expect(await state()).toEqual({ done: [1, 3], staged: ['1:11', '3:13'] });
    await expect(
      stageOne(database.db, readOf({ ...run, runToken: run.runToken - 1 }, pages[1]!, [listed('67')])),
    ).rejects.toThrow(ClaimLost);
  });

  async function state() {
    const done = await rowsOf<{ page_no: number }>(
      database.db,
      `select page_no from ops.category_page where status = 'done' order by page_no`,
    );
    const staged = await rowsOf<{ row: string }>(
      database.db,
      `select page_no || ':' || product_id as row from stage.product order by 1`,
    );
    return { done: done.map(({ page_no }) => page_no), staged: staged.map(({ row }) => row) };
  }
});

describe('a claim', () => {
  const database = useDatabase();
  let run: Run;
  beforeEach(async () => {
    await forgetEverything(database.db);
    run = await openRun(database.db);
  });

  test('a stale claim cannot plan further pages or change declared totals', async () => {
    const dead = await enlistWorker(database.db, -1);
    const [stale] = await claimAll(database.db, run.runId, dead);
    const worker = await enlistWorker(database.db);
    const [fresh] = await claimAll(database.db, run.runId, worker);
    const plan = { declaredTotal: 999, resultsPerPage: 24, planned: 3, wanted: 42 };
    await expect(stageOne(database.db, { ...readOf(run, stale!, []), plan })).rejects.toThrow(ClaimLost);
    expect(await category()).toEqual([{ declared: null, planned: 3, pages: 3 }]);
    await stageOne(database.db, { ...readOf(run, fresh!, []), plan });
    expect(await category()).toEqual([{ declared: 999, planned: 42, pages: 42 }]);
  });

  const category = () =>
    rowsOf(
      database.db,
      `select declared_last as declared, pages_planned as planned,
         (select count(*)::int from ops.category_page) as pages
       from ops.category_crawl`,
    );
});

describe('a run', () => {
  const database = useDatabase();

  test('a run advances once when its pages are read, however many try', async () => {
    const run = await openRun(database.db);
    const worker = await enlistWorker(database.db);
    expect(await move(database.db, 'startDetails', run)).toBe(false);
    for (const page of await claimAll(database.db, run.runId, worker))
      await stageOne(database.db, readOf(run, page, []));
    const moved = await Promise.all(Array.from({ length: 5 }, () => move(database.db, 'startDetails', run)));
    expect(moved.filter(Boolean).length).toBe(1);
  });
});
