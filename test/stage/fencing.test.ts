import { beforeEach, describe, expect, test } from 'vitest';
import { LeaseLost } from '../../src/base/errors.ts';
import { abandonRun, expireRun } from '../../src/crawl/ledger/end-run.ts';
import { type ClaimedPage, pageUnits } from '../../src/crawl/ledger/pages.ts';
import { move } from '../../src/crawl/ledger/run-life.ts';
import { createRuns, type Run } from '../../src/crawl/ledger/runs.ts';
import { stagePages } from '../../src/crawl/stage/category-page.ts';
import { stageTogether } from '../../src/crawl/work-loop.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { claimAll, enlistWorker, listed, openRun, readOf, stageOne } from '../support/open-run.ts';
import { waitingFor } from '../support/run-stop.ts';

describe('staging a page', () => {
  const database = useDatabase();
  let run: Run;
  let workerId: string;
  beforeEach(async () => {
    await forgetEverything(database.db);
    run = await openRun(database.db);
    workerId = await enlistWorker(database.db);
  });

  test('a page is staged by the worker that claimed it, with its products, and is done', async () => {
    const [first] = await claimAll(database.db, run.runId, workerId);
    await stageOne(database.db, readOf(run, first!, workerId, [listed('11'), listed('12')]));
    expect(await state()).toEqual({ done: [1], staged: ['1:11', '1:12'] });
  });

  test('a page is not staged twice: the second time nobody has claimed it', async () => {
    const [first] = await claimAll(database.db, run.runId, workerId);
    await stageOne(database.db, readOf(run, first!, workerId, [listed('11')]));
    await expect(stageOne(database.db, readOf(run, first!, workerId, [listed('12')]))).rejects.toThrow(LeaseLost);
    expect(await state()).toEqual({ done: [1], staged: ['1:11'] });
  });

  test('a page is not staged by a worker presumed dead after another has claimed it', async () => {
    const dead = await enlistWorker(database.db, -1);
    const [stale] = await claimAll(database.db, run.runId, dead);
    const [fresh] = await claimAll(database.db, run.runId, workerId);
    expect(fresh!.lease).toBe(stale!.lease + 1);
    await expect(stageOne(database.db, readOf(run, stale!, dead, [listed('66')]))).rejects.toThrow(LeaseLost);
    expect(await state()).toEqual({ done: [], staged: [] });
    await stageOne(database.db, readOf(run, fresh!, workerId, [listed('11')]));
    expect(await state()).toEqual({ done: [1], staged: ['1:11'] });
  });

  test('a page is not staged by a slow worker after its run was abandoned', async () => {
    const [first] = await claimAll(database.db, run.runId, workerId);
    await abandonRun({ db: database.db, runs: createRuns(database.db) }, run.runId, run.observedAt);
    await expect(staleStage(first!)).rejects.toThrow(LeaseLost);
    expect(await state()).toEqual({ done: [], staged: [] });
  });

  test('a page is not staged after its run ends with the pages it has', async () => {
    const [first, second] = await claimAll(database.db, run.runId, workerId);
    await stageOne(database.db, readOf(run, first!, workerId, [listed('11')]));
    expect(await expired()).toBe('finishing');
    await expect(staleStage(second!)).rejects.toThrow(LeaseLost);
    expect(await state()).toEqual({ done: [1], staged: ['1:11'] });
  });

  test('a late refusal does not hold up a run that ended early', async () => {
    const [first] = await claimAll(database.db, run.runId, workerId);
    await stageOne(database.db, readOf(run, first!, workerId, [listed('11')]));
    expect(await expired()).toBe('finishing');
    const runs = createRuns(database.db);
    await runs.pause(run.runId, waitingFor('the key is refused'));
    expect(await runs.byId(run.runId)).toMatchObject({ phase: 'finishing', pausedFor: null });
    await runs.pause(run.runId, waitingFor('the disk is full'), 'finishing');
    expect(await runs.byId(run.runId)).toMatchObject({ pausedFor: 'the disk is full' });
  });

  function staleStage(page: ClaimedPage): Promise<void> {
    return stageOne(database.db, readOf(run, page, workerId, [listed('66')]));
  }

  async function expired() {
    await createRuns(database.db).pause(run.runId, waitingFor('the key is refused'));
    return expireRun(database.db, run, { why: 'the next night was due', now: run.observedAt });
  }

  test('pages of a group are staged together, each by its own token', async () => {
    const pages = await claimAll(database.db, run.runId, workerId);
    const reads = [
      readOf(run, pages[0]!, workerId, [listed('11')]),
      readOf(run, { ...pages[1]!, lease: pages[1]!.lease - 1 }, workerId, [listed('66')]),
      readOf(run, pages[2]!, workerId, [listed('13')]),
    ];
    const kept = await stagePages(database.db, () => null, reads);
    expect([...kept]).toEqual([reads[0], reads[2]]);
    expect(await state()).toEqual({ done: [1, 3], staged: ['1:11', '3:13'] });
    await expect(
      stageOne(database.db, readOf({ ...run, epoch: run.epoch - 1 }, pages[1]!, workerId, [listed('67')])),
    ).rejects.toThrow(LeaseLost);
  });

  test('a page that cannot be staged fails alone in its group', async () => {
    const pages = await claimAll(database.db, run.runId, workerId);
    const reads = [
      readOf(run, pages[0]!, workerId, [listed('11')]),
      readOf(run, pages[1]!, workerId, [listed('12')]),
      readOf(run, pages[2]!, workerId, [listed('13', { priceMinor: 2 ** 40 })]),
    ];
    const failed = await stageTogether(reads, (some) => stagePages(database.db, () => null, some));
    expect([...failed.keys()]).toEqual([reads[2]]);
    expect(await state()).toEqual({ done: [1, 2], staged: ['1:11', '2:12'] });
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

describe('a lease', () => {
  const database = useDatabase();
  let run: Run;
  beforeEach(async () => {
    await forgetEverything(database.db);
    run = await openRun(database.db);
  });

  test('a lease excludes others while its worker lives', async () => {
    const first = await enlistWorker(database.db);
    const second = await enlistWorker(database.db);
    expect((await claimAll(database.db, run.runId, first)).length).toBe(3);
    expect(await claimAll(database.db, run.runId, second)).toEqual([]);
    await database.db.query('update ops.worker set alive_until = clock_timestamp() where worker_id = $1', [first]);
    expect((await claimAll(database.db, run.runId, second)).length).toBe(3);
  });

  test('a lease does not exclude its own worker, which may have failed to release a page', async () => {
    const worker = await enlistWorker(database.db);
    const before = await claimAll(database.db, run.runId, worker);
    const again = await claimAll(database.db, run.runId, worker);
    expect(again.map(({ pageNo, lease }) => [pageNo, lease])).toEqual(
      before.map(({ pageNo, lease }) => [pageNo, lease + 1]),
    );
  });

  test('a stale lease cannot plan further pages or change declared totals', async () => {
    const dead = await enlistWorker(database.db, -1);
    const [stale] = await claimAll(database.db, run.runId, dead);
    const worker = await enlistWorker(database.db);
    const [fresh] = await claimAll(database.db, run.runId, worker);
    const plan = { declaredTotal: 999, resultsPerPage: 24, planned: 3, wanted: 42 };
    await expect(stageOne(database.db, { ...readOf(run, stale!, dead, []), plan })).rejects.toThrow(LeaseLost);
    expect(await category()).toEqual([{ declared: null, planned: 3, pages: 3 }]);
    await stageOne(database.db, { ...readOf(run, fresh!, worker, []), plan });
    expect(await category()).toEqual([{ declared: 999, planned: 42, pages: 42 }]);
  });

  const category = () =>
    rowsOf(
      database.db,
      `select declared_last as declared, pages_planned as planned,
         (select count(*)::int from ops.category_page) as pages
       from ops.category_crawl`,
    );

  test('a released lease changes nothing when it is released again', async () => {
    const worker = await enlistWorker(database.db);
    const [page] = await claimAll(database.db, run.runId, worker);
    await pageUnits.release(database.db, run.runId, page!, { costsAttempt: false, why: 'a limit', restMs: 0 });
    const [again] = await claimAll(database.db, run.runId, worker);
    expect(again!.attempts).toBe(page!.attempts);
    await pageUnits.fail(database.db, run.runId, page!, 'too late');
    const rows = await rowsOf(database.db, `select status, error from ops.category_page where page_no = 1`);
    expect(rows).toEqual([{ status: 'planned', error: 'a limit' }]);
  });
});

describe('a run', () => {
  const database = useDatabase();

  test('a run advances once when its pages are read, however many try', async () => {
    const run = await openRun(database.db);
    const worker = await enlistWorker(database.db);
    expect(await move(database.db, 'startDetails', run)).toBe(false);
    for (const page of await claimAll(database.db, run.runId, worker))
      await stageOne(database.db, readOf(run, page, worker, []));
    const moved = await Promise.all(Array.from({ length: 5 }, () => move(database.db, 'startDetails', run)));
    expect(moved.filter(Boolean).length).toBe(1);
  });

  test('a run is opened once, however many try', async () => {
    const opened = await Promise.all(
      Array.from({ length: 5 }, () => openRun(database.db, { date: '2026-03-02' }).catch(() => null)),
    );
    const ids = new Set(opened.filter((run) => run !== null).map(({ runId }) => runId));
    expect(ids.size).toBe(1);
  });
});
