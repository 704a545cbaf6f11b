import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JobContext } from '../../jobs/context.ts';
import { crawlTaxonomy } from '../../jobs/crawl-taxonomy.ts';
import { finishCrawl } from '../../jobs/finish-crawl.ts';
import { runJobs } from '../../jobs/index.ts';
import { describeStatus } from '../../src/cli/describe-status.ts';
import { dispatch } from '../../src/crawl/run/dispatch.ts';
import { openDueNight, openNight } from '../../src/crawl/run/open.ts';
import { createRuns, type Run } from '../../src/crawl/run/runs.ts';
import { maxFailures, move, recordFailure } from '../../src/crawl/run/transitions.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { readStatus } from '../../src/questions/status.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { claimAll } from '../support/open-run.ts';
import { useInstallation } from '../support/queue-backends.ts';

const date = '2026-03-01';
const { signal } = new AbortController();

describe('a run', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 60, superDepartments: 3, date });
    await installation.db.query(
      `create function public.oops() returns trigger language plpgsql as $$ begin raise 'oops'; end $$`,
    );
  });
  afterAll(() => simulator.close());
  beforeEach(async () => {
    await forgetEverything(installation.db);
    for (const table of ['stage.category', 'ops.certificate'])
      await installation.db.query(`drop trigger if exists oops on ${table}`);
  });

  test('a run that repeatedly cannot be finished expires without publishing anything', async () => {
    await failOn('ops.certificate');
    await at(date, async (context) => {
      const run = await opened(context);
      for (const step of ['startCategories', 'startDetails', 'startFinishing'] as const)
        expect(await move(installation.db, step, run)).toBe(true);
      await failing(run, () => finishCrawl.run({ run: run.runId }, context, signal));
      await expectToBeLeftAlone(context, run);
    });
    await at('2026-03-02', (context) => openDueNight(context, 'uk'));
    expect(await statuses()).toEqual(['2026-03-01 expired', '2026-03-02 open']);
  });

  test('a failing run is paused longer after each failure, an hour at most', async () => {
    await at(date, async (context) => {
      const run = await opened(context);
      const rests: number[] = [];
      for (let round = 0; round < maxFailures; round += 1) {
        await recordFailure(installation.db, run, 'oops');
        // Another process met the same failure.
        expect(await recordFailure(installation.db, run, 'oops')).toBeNull();
        const [{ seconds }] = (await rowsOf<{ seconds: number }>(
          installation.db,
          'select round(extract(epoch from until - since))::int as seconds from ops.stop',
        )) as [{ seconds: number }];
        rests.push(seconds);
        await restPasses();
      }
      expect(rests).toEqual([30, 60, 120, 240, 480, 960, 1_920, 3_600, 3_600, 3_600]);
      const stale = { runId: run.runId, runToken: run.runToken - 1 };
      expect(await recordFailure(installation.db, stale, 'late')).toBeNull();
      expect((await context.runs.byId(run.runId)).failureCount).toBe(maxFailures);
    });
  });

  test('an expired run continues when a person crawls it, and its failures are forgotten', async () => {
    await failOn('stage.category');
    await at(date, async (context) => {
      const run = await opened(context);
      await failing(run, () => crawlTaxonomy.run({ run: run.runId }, context, signal));
      await installation.db.query('drop trigger oops on stage.category');
      await context.runs.goOn(run.runId);
      await crawlTaxonomy.run({ run: run.runId }, context, signal);
      expect(await context.runs.byId(run.runId)).toMatchObject({ phase: 'categories', failureCount: 0, stop: null });
    });
  });

  test('the taxonomy of a run is staged once, even if a stalled duplicate returns while pages are read', async () => {
    await at(date, async (context) => {
      const run = await opened(context);
      let release = () => {};
      const gate = new Promise<void>((resolve) => {
        release = resolve;
      });
      const stalled: JobContext = {
        ...context,
        async ask(...question) {
          const answer = await context.ask(...question);
          await gate;
          return answer;
        },
      };
      const duplicate = crawlTaxonomy.run({ run: run.runId }, stalled, signal);
      await crawlTaxonomy.run({ run: run.runId }, context, signal);
      const claimed = await claimAll(installation.db, run.runId, context.worker.workerId);
      expect(claimed.length).toBeGreaterThan(0);
      const before = await ledger();
      release();
      await duplicate;
      expect(await ledger()).toEqual(before);
    });
  });

  async function failOn(table: string): Promise<void> {
    await installation.db.query(
      `create trigger oops before insert on ${table} for each row execute function public.oops()`,
    );
  }

  async function opened(context: JobContext): Promise<Run> {
    return (await openNight(context, { region: 'uk', maxDetails: 0, origin: 'schedule' }))!;
  }

  /** Fails as often as allowed, with each rest skipped. */
  async function failing({ runId }: Run, work: () => Promise<void>): Promise<void> {
    for (let round = 1; round <= maxFailures; round += 1) {
      await expect(work()).rejects.toThrow('oops');
      const runs = createRuns(installation.db);
      expect(await runs.byId(runId)).toMatchObject({ stop: { detail: 'oops' }, failureCount: round });
      await restPasses();
    }
  }

  async function restPasses(): Promise<void> {
    await installation.db.query(`update ops.stop set until = $1 where scope = 'run'`, [nightOf(date)]);
  }

  async function expectToBeLeftAlone(context: JobContext, { runId }: Run): Promise<void> {
    const enqueued: unknown[] = [];
    const queues = {
      ...context.queues,
      enqueue: async (...job: unknown[]) => {
        enqueued.push(job);
      },
    };
    await dispatch({ ...context, queues }, runJobs, runId);
    expect(enqueued).toEqual([]);
    const runs = createRuns(installation.db);
    const status = await readStatus({ db: installation.db, runs, now: context.clock.now(), listings: new Map() });
    expect(describeStatus(status)).toContain(`\`pricebook crawl --abandon ${runId}\``);
  }

  function at(night: string, use: (context: JobContext) => Promise<unknown>) {
    return withCrawler(
      { installation, upstream: simulator.url, now: nightOf(night), crawler: { jobs: [] } },
      async (_, { context }) => void (await use(context)),
    );
  }

  async function statuses(): Promise<string[]> {
    const rows = await rowsOf<{ run: string }>(
      installation.db,
      `select snapshot_date || ' ' || status as run from ops.run where region = 'uk' order by run_id`,
    );
    return rows.map(({ run }) => run);
  }

  async function ledger() {
    return [
      await rowsOf(installation.db, 'select * from stage.category order by category_no'),
      await rowsOf(installation.db, 'select * from ops.category_page order by category_no, page_no, attempt_no'),
      await rowsOf(installation.db, 'select phase, run_token, base_run_id from ops.run order by run_id'),
    ];
  }
});
