import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { CrawlContext } from '../../src/crawl/context.ts';
import { type ClaimedPage, pagesOf } from '../../src/crawl/kinds/pages.ts';
import { revivePages } from '../../src/crawl/ledger/pages.ts';
import { crawlNight as crawlUnits } from '../../src/crawl/night.ts';
import { planNight } from '../../src/crawl/plan-night.ts';
import { abandonRun } from '../../src/crawl/run/end.ts';
import { openNight } from '../../src/crawl/run/open.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import { openStores } from '../../src/crawl/run/side-runs.ts';
import { unitsOf } from '../../src/crawl/units.ts';
import { work } from '../../src/crawl/work.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { categoryPage } from '../../src/db/tables/index.ts';
import { refreshStores } from '../../src/publish/publish-stores.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf, withCrawler } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { enlistWorker, openRun } from '../support/open-run.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createRefusingUpstream } from '../support/refusing-upstream.ts';
import { createSmallUpstream, type SmallUpstream, type SmallUpstreamOptions } from '../support/small-upstream.ts';
import { endPauses, lengthenStops } from '../support/stops.ts';

const { signal } = new AbortController();

describe('claiming the units of a run', () => {
  const database = useDatabase();
  let run: Run;
  beforeEach(async () => {
    await forgetEverything(database.db);
    run = await openRun(database.db, { pages: 5 });
  });
  const wanted = { table: categoryPage, phase: 'categories' } as const;
  const worker = async (aliveForMs?: number) =>
    unitsOf<ClaimedPage>(database.db, wanted, run, await enlistWorker(database.db, aliveForMs));
  const pageNos = (claimed: readonly { readonly pageNo: number }[]) => claimed.map(({ pageNo }) => pageNo);
  const answer = (units: Awaited<ReturnType<typeof worker>>, unit: ClaimedPage) => {
    const values = { payloadSha256: `\\x${'ab'.repeat(32)}`, fetchedAt: run.observedAt };
    return database.db.tx((tx) => units.settle(tx, [{ unit, values }]));
  };

  test('until one unit is answered only the first is claimed, by one worker; then every unit once', async () => {
    const [one, other] = [await worker(), await worker()];
    const [first, ...more] = await one.claim(10);
    expect([first!.pageNo, ...more]).toEqual([1]);
    expect(await other.claim(10)).toEqual([]);
    await answer(one, first!);
    const claimed = await Promise.all([one.claim(2), other.claim(2)]);
    expect(claimed.flatMap(pageNos).sort()).toEqual([2, 3, 4, 5]);
    expect(await one.left()).toEqual({ units: 4, freeInMs: null });
  });

  test('a unit is claimed for as long as its worker lives, however long its request takes', async () => {
    const [dead, living, other] = [await worker(-1), await worker(), await worker()];
    const [first] = await dead.claim(1);
    await living.freeDead();
    const [again] = await living.claim(1);
    expect(again).toMatchObject({ unitId: first!.unitId, claimToken: first!.claimToken + 1 });
    await database.db.query(`update ops.worker set started_at = started_at - interval '1 day'`);
    await other.freeDead();
    expect(await other.claim(1)).toEqual([]);
    expect(await answer(dead, first!)).toEqual(new Set());
    expect(await answer(living, again!)).toEqual(new Set([again!.unitId]));
  });

  test('a unit that was given back keeps its attempts, one that failed loses one, and both rest', async () => {
    await database.db.query(`update ops.category_page set status = 'failed' where page_no > 1`);
    const units = await worker();
    const [first] = await units.claim(1);
    await units.giveBack([first!], 3_600_000);
    expect(await units.claim(1)).toEqual([]);
    expect((await units.left())!.freeInMs).toBeGreaterThan(3_000_000);
    await database.db.query('update ops.category_page set not_before = clock_timestamp()');
    const [again] = await units.claim(1);
    expect(again).toMatchObject({ unitId: first!.unitId, attempts: 0 });
    await units.countAttempt(again!, { error: 'unavailable: down', isOver: false, payload: null, restMs: 0 });
    expect((await units.claim(1))[0]).toMatchObject({ unitId: first!.unitId, attempts: 1 });
  });

  test('failed pages are revived after a long outage, however often they were given back in it', async () => {
    const failed = `update ops.category_page set status = 'failed', attempts = 4, claim_token = 500 where page_no = 1`;
    await database.db.query(failed);
    await revivePages(database.db, run.runId);
    expect(pageNos(await (await worker()).claim(1))).toEqual([1]);
    // A command in a loop comes to an end.
    await database.db.query(`${failed.replace('4', '8')}`);
    await revivePages(database.db, run.runId);
    expect(pageNos(await (await worker()).claim(1))).toEqual([2]);
  });
});

describe('working on the units of a run', () => {
  const installation = useInstallation();
  const shelf = (first: number) => [{ id: String(first) }, { id: String(first + 1) }];
  const shelves = Object.fromEntries(
    ['Ale', 'Bread', 'Cake', 'Dip', 'Eggs', 'Figs', 'Gum', 'Ham'].map((name, i) => [name, shelf(100 + 10 * i)]),
  );
  const unavailable = { status: 502, body: { success: false, message: 'down' } };

  let upstream: SmallUpstream;
  beforeAll(async () => {
    upstream = await createSmallUpstream({ shelves, pageSize: 24 });
  });
  afterAll(() => upstream.close());

  /** A night whose pages are planned, and nobody works on. */
  async function withPages(
    date: string,
    options: Partial<SmallUpstreamOptions>,
    use: (context: CrawlContext, run: Run) => Promise<void>,
  ): Promise<void> {
    upstream.change(options);
    const night = { installation, upstream: upstream.url, now: nightOf(date), crawler: { jobs: [] } };
    await withCrawler(night, async (_, { context }) => {
      const opened = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' });
      await planNight(context, opened!, signal);
      await use(context, await context.runs.byId(opened!.runId)).finally(() =>
        abandonRun(context, opened!.runId, nightOf(date)),
      );
    });
  }

  const pages = (runId: number) =>
    rowsOf<{ page: string }>(
      installation.db,
      `select concat_ws(' ', status, attempts) as page, count(*)::int as pages
       from ops.category_page where run_id = $1 group by 1 order by 1`,
      [runId],
    );

  test('a page that cannot be staged fails alone', async () => {
    await withPages('2026-03-01', {}, async (context, run) => {
      const kind = pagesOf(context, run);
      const keep: typeof kind.keep = async (tx, group) => {
        await kind.keep(tx, group);
        if (group.some(({ unit }) => unit.categoryNo === 5)) throw new TypeError('a bug');
      };
      expect(await work(context, run, { ...kind, keep }, signal)).toBe('done');
      expect(await pages(run.runId)).toEqual([
        { page: 'done 0', pages: 7 },
        { page: 'failed 4', pages: 1 },
      ]);
    });
  });

  test('however many probes fail, they cost no page an attempt, and the catalogue is not read for them', async () => {
    let isDown = true;
    let answered = 0;
    const instead = () => (isDown && answered++ > 0 ? unavailable : null);
    await withPages('2026-03-02', { instead }, async (context, run) => {
      let reads = 0;
      const db: CrawlContext['db'] = {
        ...context.db,
        tx: (use, options) => {
          // Of what a worker does, only this is a transaction without a limit.
          if (options === undefined) reads += 1;
          return context.db.tx(use, options);
        },
      };
      // A page that fails twice before the others fail once has lost an attempt, which is no probe's doing.
      let beforeProbes: Awaited<ReturnType<typeof pages>> | undefined;
      for (const expectedReads of [1, 1, 1]) {
        const [ended] = await Promise.allSettled([
          crawlUnits({ ...context, db }, run.runId, signal),
          lengthenStops(installation.db),
        ]);
        expect(ended).toMatchObject({ status: 'rejected', reason: { kind: 'waits', reason: 'failing' } });
        expect(reads).toBe(expectedReads);
        await endPauses(installation.db);
        beforeProbes ??= await pages(run.runId);
      }
      expect(beforeProbes).toContainEqual({ page: 'done 0', pages: 1 });
      expect(await pages(run.runId)).toEqual(beforeProbes);
      isDown = false;
      await crawlUnits({ ...context, db }, run.runId, signal);
      expect(reads).toBe(2);
      expect((await pages(run.runId)).filter(({ page }) => !page.startsWith('done'))).toEqual([]);
    });
  });

  test('details that are not part of the plan cost one request a night', async () => {
    let asked = 0;
    const details = () => {
      asked += 1;
      return { status: 403, body: { message: 'This endpoint is disabled for your subscription' } };
    };
    upstream.change({ details });
    for (const [nights, date] of ['2026-03-03', '2026-03-04'].entries()) {
      const night = {
        installation,
        upstream: upstream.url,
        now: nightOf(date),
        regions: ['uk'],
        maxDetails: 8,
      } as const;
      expect(await crawlNight(night)).toMatchObject([{ status: 'published', verdict: 'complete' }]);
      expect(asked).toBe(nights + 1);
    }
  });

  test('details that a proxy does not find once are all asked for, that one twice', async () => {
    const asked: string[] = [];
    const details = (productId: string) => {
      const body = asked.push(productId) === 1 ? { message: 'no Route matched with those values' } : { success: false };
      return { status: 404, body };
    };
    upstream.change({ details });
    const night = { installation, upstream: upstream.url, now: nightOf('2026-03-05'), maxDetails: 8 } as const;
    await crawlNight({ ...night, regions: ['uk'] });
    expect(asked.filter((id) => id === asked[0])).toHaveLength(2);
    expect(asked).toHaveLength(new Set(asked).size + 1);
    expect(asked.length).toBeGreaterThan(8);
  });

  test('details that are refused as a key is, while it is accepted elsewhere, cost three requests', async () => {
    let asked = 0;
    const details = () => {
      asked += 1;
      return { status: 403, body: { message: 'You are not subscribed to this API.' } };
    };
    upstream.change({ details });
    const night = { installation, upstream: upstream.url, now: nightOf('2026-03-06'), maxDetails: 8 } as const;
    const ended = crawlNight({ ...night, regions: ['uk'] });
    const pauses = setInterval(() => void installation.db.query('update ops.stop set until = ops.clock()'), 100);
    expect(await ended.finally(() => clearInterval(pauses))).toMatchObject([{ verdict: 'complete' }]);
    expect(asked).toBe(3);
  });

  test('departments that are unreadable make a night partial, however many they are', async () => {
    const instead = ({ path }: { path: string }) =>
      path < 'Gum' ? { status: 200, body: { success: true, data: { products: 'none' } } } : null;
    upstream.change({ instead });
    const night = { installation, upstream: upstream.url, now: nightOf('2026-03-07'), maxDetails: 0 } as const;
    expect(await crawlNight({ ...night, regions: ['uk'] })).toMatchObject([
      { status: 'published', verdict: 'partial' },
    ]);
  });
});

describe('a quota that only headers tell', () => {
  const installation = useInstallation();

  test('limits the first night from its first page on', async () => {
    const headers = {
      'x-ratelimit-requests-limit': '3000',
      'x-ratelimit-requests-remaining': '2900',
      'x-ratelimit-requests-reset': '1728000',
    };
    const upstream = await createSmallUpstream({ shelves: { Ale: [{ id: '1' }], Bread: [{ id: '2' }] }, headers });
    const night = { installation, upstream: upstream.url, now: nightOf('2026-03-01'), clock: 'played' } as const;
    await withCrawler({ ...night, crawler: { jobs: [] } }, async (_, { context }) => {
      const { runId } = (await openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' }))!;
      const budget = 'select max_requests > 0 as is_limited, reserved from ops.run_budget';
      await planNight(context, await context.runs.byId(runId), signal);
      expect(await rowsOf(installation.db, budget)).toEqual([{ is_limited: true, reserved: 0 }]);
      await crawlUnits(context, runId, signal);
      await context.writeSpend();
      expect(await rowsOf(installation.db, budget)).toEqual([{ is_limited: true, reserved: 2 }]);
    });
    await upstream.close();
  });
});

describe('a store locator that answers 429', () => {
  const installation = useInstallation();

  test('is asked by probes only, and loses no circle by it', async () => {
    const simulator = await createSimulator({ items: 50, superDepartments: 1, date: '2026-03-01' });
    const upstream = await createRefusingUpstream(simulator.url);
    const env = { STORES_BASE_URL: upstream.url, STORES_KEY: 'stores-key', STORE_AREAS: '50,-5,56,1' };
    const night = { installation, upstream: simulator.url, now: nightOf('2026-03-01'), env, crawler: { jobs: [] } };
    await withCrawler(night, async (_, { context }) => {
      const run = await openStores(context, 'command');
      upstream.refuse({ status: 429, body: { message: 'Too many requests' } }, 2);
      for (let pause = 0; pause < 3; pause += 1) {
        const before = upstream.asked;
        const [ended] = await Promise.allSettled([refreshStores(context, run, signal), lengthenStops(installation.db)]);
        expect(ended).toMatchObject({ status: 'rejected', reason: { kind: 'waits', reason: 'too_fast' } });
        if (pause > 0) expect(upstream.asked - before).toBe(1);
        await endPauses(installation.db);
      }
      upstream.refuse(null);
      expect(await refreshStores(context, run, signal)).toMatchObject({ verdict: 'complete' });
      expect(await rowsOf(installation.db, 'select from ops.store_circle where attempts > 0')).toEqual([]);
    });
    await upstream.close();
    await simulator.close();
  });
});
