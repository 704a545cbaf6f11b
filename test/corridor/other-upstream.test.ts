import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { crawlRun } from '../../jobs/crawl-run.ts';
import { jobs } from '../../jobs/index.ts';
import { watchRuns } from '../../jobs/watch-runs.ts';
import { OtherWorld, RunRefused } from '../../src/base/errors.ts';
import type { ClockKind } from '../../src/base/model/index.ts';
import { settleWorld } from '../../src/crawl/ledger/worlds.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.ts';
import { crawlNight, type NightOptions, nightOf, withCrawler } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { describeOnEachQueue, type TestInstallation, useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const date = '2026-03-01';
const nextDate = '2026-03-02';
/** Slow enough that other processes can interfere. */
const slow = { faults: [{ kind: 'slow', ms: 15 }] } satisfies SimulatorOptions;
/** A small tree: a small night mostly requests categories. */
const small = { items: 60, superDepartments: 3 };
const invented = { seed: 1, ...small };
const regions = ['uk'] as const;
/** Before the schedule opens its own nights. */
const now = new Date(`${date}T01:00:00Z`);
const accepting = { acceptNewHost: true };

let first: Simulator;
let second: Simulator;
beforeAll(async () => {
  first = await createSimulator({ ...slow, ...small, seed: 1, date });
  second = await createSimulator({ ...slow, ...small, seed: 2, date });
});
afterAll(async () => {
  await first.close();
  await second.close();
});
beforeEach(() => {
  for (const simulator of [first, second]) simulator.resetLog();
});

async function runsOf({ db }: TestInstallation) {
  return rowsOf<{
    runId: number;
    date: string;
    status: string;
    verdict: string | null;
    upstream: string;
    clock: string;
  }>(
    db,
    `select run_id as "runId", snapshot_date::text as date, status, verdict, upstream, clock
     from ops.run
     order by run_id`,
  );
}

describeOnEachQueue('processes of two upstreams on one database', (installation) => {
  test('a worker of another upstream takes no work of a run and logs it once', async () => {
    const logged: string[] = [];
    const worker = { installation, upstream: first.url, now, logged, crawler: { jobs } };
    await withCrawler(worker, async (_, { context }) => {
      const meddle = async (runId: number) => {
        await context.dispatch(runId);
        await watchRuns.run({}, context, new AbortController().signal);
        await crawlRun.uk.run({ run: runId, worker: 'any' }, context, new AbortController().signal);
      };
      const night = crawlNight({ installation, upstream: second.url, now, regions, crawler: accepting });
      let isOver = false;
      const meddling = (async () => {
        while (!isOver)
          for (const { runId, status } of await runsOf(installation)) if (status === 'open') await meddle(runId);
      })();
      const runs = await night.finally(() => {
        isOver = true;
      });
      await meddling;
      expect(runs).toMatchObject([{ status: 'published', verdict: 'complete' }]);
    });
    expect(first.log().total).toBe(0);
    expect(await disagreements(installation.db, second, 'uk', date)).toEqual([]);
    expect(logged.filter((line) => line.includes('of another upstream or clock is skipped'))).toHaveLength(1);
  });
});

/** Where the queue makes no difference. */
const installation = useInstallation();

describe('a run of another upstream', () => {
  beforeEach(() => forgetEverything(installation.db));

  test('a crawl that finds a run of another upstream reports it with advice and sends no request', async () => {
    await withCrawler({ installation, upstream: first.url, now, crawler: { jobs: [] } }, async (_, { context }) => {
      await context.runs.open({
        region: 'uk',
        snapshotDate: date,
        now,
        maxDetails: 0,
        origin: 'command',
        ...(await context.ownership.identityOn(date)),
      });
    });
    const [open] = await runsOf(installation);
    const refused = crawlNight({ installation, upstream: second.url, now, regions, crawler: accepting });
    await expect(refused).rejects.toThrow(RunRefused);
    await expect(refused).rejects.toThrow(
      `Run ${open!.runId} of uk (${date}) is open and belongs to grocery at ${first.url}, host grocery.simulator, on ` +
        "the machine's clock. Continue it with " +
        `\`GROCERY_BASE_URL=${first.url} GROCERY_HOST=grocery.simulator pricebook crawl --region uk\`, or give it up ` +
        `with \`pricebook crawl --abandon ${open!.runId}\`.`,
    );
    expect(second.log().total).toBe(0);
    expect(await runsOf(installation)).toEqual([open]);
  });
});

/** Each test continues with the database of the previous one. */
describe('processes of two clocks on one database', () => {
  let truth: Simulator;
  beforeAll(async () => {
    await forgetEverything(installation.db);
    truth = await createSimulator(invented);
  });
  afterAll(() => truth.close());

  const at = (now: Date, clock: ClockKind, more: Partial<NightOptions> = {}): NightOptions => ({
    installation,
    upstream: null,
    now,
    clock,
    regions,
    crawler: { simulator: { ...slow, ...invented } },
    ...more,
  });
  const published = [{ status: 'published', verdict: 'complete' }];
  const runsOn = async (night: string) => (await runsOf(installation)).filter((run) => run.date === night);

  // `npm run prove -- --profile worlds` plays them at moments and in orders that chance decides.
  test.each([
    ['two --now of different dates', '2026-03-01', 'played', '2026-03-02', 'played'],
    ['the machine and --now', '2026-03-03', 'machine', '2026-03-04', 'played'],
  ] as const)(
    '%s: each process takes only runs of its own clock, and no row has the other date',
    async (_, day, one, next, other) => {
      const logged: string[] = [];
      const bystander = at(nightOf(next), other, { logged, crawler: { simulator: invented, jobs } });
      await withCrawler(bystander, async (_base, { context }) => {
        const night = crawlNight(at(nightOf(day), one));
        await expect.poll(() => runsOn(day), { timeout: 60_000 }).toHaveLength(1);
        const [{ runId } = { runId: 0 }] = await runsOn(day);
        await context.dispatch(runId);
        expect(await context.ownership.take(runId)).toBeNull();
        await expect(crawlNight(at(nightOf(next), other))).rejects.toThrow(
          new RegExp(
            `^Run ${runId} of uk \\(${day}\\) is open and belongs to simulator seed=1 items=60 date=${day}, on ` +
              `.*\`pricebook ${one === 'played' ? `--now ${day} ` : ''}crawl --region uk --items 60\`.*--abandon ` +
              `${runId}`,
          ),
        );
        expect(await night).toMatchObject(published);
      });
      expect(logged.filter((line) => line.includes('of another upstream or clock is skipped'))).toHaveLength(1);
      expect(await runsOn(next)).toEqual([]);
      expect(await disagreements(installation.db, truth, 'uk', day)).toEqual([]);
    },
  );

  test('the same --now date continues the run at any time of that day', async () => {
    await stopInTheMiddle('2026-03-04', at(nightOf('2026-03-04'), 'played'));
    expect(await crawlNight(at(new Date('2026-03-04T23:30:00Z'), 'played'))).toMatchObject(published);
    expect(await runsOn('2026-03-04')).toHaveLength(1);
    expect(await disagreements(installation.db, truth, 'uk', '2026-03-04')).toEqual([]);
  });

  test('a run that passes midnight finishes under its original date', async () => {
    await stopInTheMiddle('2026-03-05', at(new Date('2026-03-05T23:30:00Z'), 'machine'));
    expect(await crawlNight(at(new Date('2026-03-06T00:30:00Z'), 'machine'))).toMatchObject(published);
    expect(await runsOn('2026-03-05')).toHaveLength(1);
    expect(await runsOn('2026-03-06')).toEqual([]);
    expect(await disagreements(installation.db, truth, 'uk', '2026-03-05')).toEqual([]);
  });

  async function stopInTheMiddle(day: string, night: NightOptions): Promise<void> {
    const stop = new AbortController();
    // Some pages are still being waited for when others are done.
    const halfOfThem = { kind: 'slow', ms: 5_000, endpoint: 'category-page', every: 2 } as const;
    const simulator = { ...invented, faults: [halfOfThem] };
    const cutOff = crawlNight({ ...night, crawler: { simulator }, signal: stop.signal });
    await expect.poll(() => pagesDone(day), { timeout: 60_000, interval: 20 }).toBeGreaterThan(0);
    stop.abort(new Error('enough'));
    await expect(cutOff).rejects.toThrow('enough');
    expect(await runsOn(day)).toMatchObject([{ status: 'open' }]);
  }

  async function pagesDone(day: string): Promise<number> {
    const rows = await rowsOf(
      installation.db,
      `select 1 from ops.category_page join ops.run using (run_id)
       where snapshot_date = $1 and ops.category_page.status = 'done'`,
      [day],
    );
    return rows.length;
  }
});

describe('a database of one world', () => {
  let live: Simulator;
  let moved: Simulator;
  beforeAll(async () => {
    live = await createSimulator({ ...small, seed: 3 });
    moved = await createSimulator({ ...small, seed: 3 });
  });
  afterAll(async () => {
    await live.close();
    await moved.close();
  });
  beforeEach(() => forgetEverything(installation.db));

  const crawl = (upstream: string | null, night: string, { items = 60, acceptNewHost = false } = {}) => {
    for (const simulator of [live, moved]) simulator.change({ date: night });
    const crawler = { simulator: { seed: 1, items, superDepartments: 3 }, acceptNewHost };
    return crawlDirectly({ installation, upstream, date: night, regions, crawler });
  };
  const worlds = () => rowsOf(installation.db, 'select kind, seed, items, base_url, host from ops.world');

  test('a database accepts nights of its own world only', async () => {
    await crawl(null, date);
    const simulated = { kind: 'simulated', seed: 1, items: 60, base_url: null, host: null };
    expect(await worlds()).toEqual([simulated]);
    const others = [() => crawl(null, nextDate, { items: 80 }), () => crawl(live.url, nextDate)];
    for (const other of others) {
      const refusal = await other().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(OtherWorld);
      expect(refusal).toMatchObject({ exitCode: 78, message: expect.stringMatching(/DATABASE_URL.*pricebook reset/) });
    }
    expect(await runsOf(installation)).toHaveLength(1);
  });

  test('a live listing is followed to another host on request', async () => {
    await crawl(live.url, date);
    await expect(crawl(moved.url, nextDate)).rejects.toThrow(/crawl --accept-new-host/);
    await expect(crawl(null, nextDate, { acceptNewHost: true })).rejects.toThrow(OtherWorld);
    expect(await crawl(moved.url, nextDate, { acceptNewHost: true })).toMatchObject([{ verdict: 'complete' }]);
    expect(await worlds()).toMatchObject([{ kind: 'live', base_url: moved.url, host: 'grocery.simulator' }]);
  });

  test('a live listing is identified by its host, at any address', async () => {
    const ask = (baseUrl: string, host: string) =>
      settleWorld(installation.db, {
        world: { kind: 'live', listing: 'grocery', baseUrl, host },
        now: nightOf(date),
        acceptNewHost: false,
        waysOut: '',
      });
    await ask('https://gateway.example', 'grocery.example');
    await ask('http://10.0.0.2:8080', 'grocery.example');
    expect(await worlds()).toMatchObject([{ base_url: 'http://10.0.0.2:8080', host: 'grocery.example' }]);
    await expect(ask('http://10.0.0.2:8080', 'other.example')).rejects.toThrow(OtherWorld);
  });
});
