import { beforeEach, describe, expect, test } from 'vitest';
import type { JobContext } from '../../jobs/context.ts';
import { setSchedule } from '../../jobs/schedule.ts';
import { watchRuns } from '../../jobs/watch-runs.ts';
import { type RegionCode, regionCodes } from '../../src/base/model/index.ts';
import { abandonRun } from '../../src/crawl/run/end.ts';
import { openDueNight, openNight } from '../../src/crawl/run/open.ts';
import type { Run } from '../../src/crawl/run/runs.ts';
import { move } from '../../src/crawl/run/transitions.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { withCrawler } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { holdBack } from '../support/stops.ts';

describe('opening nights', () => {
  const installation = useInstallation();
  beforeEach(async () => {
    await forgetEverything(installation.db);
  });

  test('a due night without a run is opened once, however many processes watch', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      await Promise.all(Array.from({ length: 4 }, () => openDueNights(context)));
    });
    expect(await runs()).toEqual(['ie 2026-03-01 schedule', 'uk 2026-03-01 schedule']);
  });

  test('searches are scheduled for the hour of the night, of crawled regions only', async () => {
    const searches = async (...crawled: RegionCode[]) => {
      const found: string[] = [];
      const repeat = async (_: unknown, id: string, { pattern }: { pattern: string }) => void found.push(id, pattern);
      await at('2026-03-01T00:00:00Z', ({ settings }) =>
        setSchedule({ queues: { repeat } as never, settings: { ...settings, regions: crawled } }),
      );
      return found.slice(found.indexOf('refresh-stores') + 2);
    };
    expect(await searches('uk', 'ie')).toEqual(['search-uk', '0 2 * * *']);
    expect(await searches('ie')).toEqual([]);
  });

  test('a night that was crawled by hand is not opened', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      const run = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' });
      await published(run!);
      await openDueNights(context);
    });
    expect(await runs()).toEqual(['ie 2026-03-01 schedule', 'uk 2026-03-01 command']);
  });

  test('a night that passed while no process ran is missed and not crawled later', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      for (const run of await openDueNights(context)) await published(run);
    });
    await at('2026-03-05T09:00:00Z', (context) => openDueNights(context));
    expect(await runs()).toEqual([
      'ie 2026-03-01 schedule',
      'ie 2026-03-05 schedule',
      'uk 2026-03-01 schedule',
      'uk 2026-03-05 schedule',
    ]);
    const missed = await rowsOf<{ night: string }>(
      installation.db,
      `select region || ' ' || snapshot_date as night from marts.missed_night order by 1`,
    );
    expect(missed.map(({ night }) => night)).toEqual(
      ['ie', 'uk'].flatMap((region) => ['02', '03', '04'].map((day) => `${region} 2026-03-${day}`)),
    );
  });

  test('a night that the schedule opened and a person abandoned is not opened again', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      await openDueNights(context);
      for (const { runId } of await context.runs.allOpen()) await abandonRun(context, runId, context.clock.now());
      await openDueNights(context);
    });
    expect((await runs()).length).toBe(2);
  });

  test('a night waits for the previous night, because a region is never crawled twice at a time', async () => {
    await at('2026-03-01T21:00:00Z', (context) => openDueNights(context));
    await at('2026-03-02T02:00:05Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(['ie 2026-03-01 schedule', 'uk 2026-03-01 schedule']);
  });

  test('a night that is interrupted and idle for hours is replaced by the next one', async () => {
    await at('2026-03-01T02:00:05Z', (context) => openDueNights(context));
    await at('2026-03-02T02:00:05Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(
      ['ie', 'uk'].flatMap((region) => [`${region} 2026-03-01 schedule expired`, `${region} 2026-03-02 schedule`]),
    );
  });

  test('a waiting night that has read nothing is replaced when the next one is due', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      for (const { runId } of await openDueNights(context)) await holdBack(context.db, runId, 'the disk is full');
    });
    await at('2026-03-01T13:59:00Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(['ie 2026-03-01 schedule', 'uk 2026-03-01 schedule']);
    await at('2026-03-02T02:00:05Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(
      ['ie', 'uk'].flatMap((region) => [`${region} 2026-03-01 schedule expired`, `${region} 2026-03-02 schedule`]),
    );
  });

  test('a night that a person started a few hours before the next one continues while it waits', async () => {
    await at('2026-03-01T22:00:00Z', async (context) => {
      for (const region of regionCodes) {
        const run = await openNight(context, { region, maxDetails: 0, origin: 'command' });
        await holdBack(context.db, run!.runId, 'the disk is full');
      }
    });
    await at('2026-03-02T02:00:05Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(['ie 2026-03-01 command', 'uk 2026-03-01 command']);
  });

  test('a region whose night is refused holds up neither the other region nor followers', async () => {
    await at('2026-03-06T02:00:05Z', async (context) => {
      await published((await openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' }))!);
    });
    const enqueued: string[] = [];
    await at('2026-03-05T02:00:05Z', async (context) => {
      const queues = {
        ...context.queues,
        enqueue: async ({ name }: { readonly name: string }) => void enqueued.push(name),
      };
      const followers = { ...context.followers, isAnythingOwed: async () => true };
      const watching = watchRuns.run({}, { ...context, queues, followers }, new AbortController().signal);
      await expect(watching).rejects.toThrow('would go back in time');
    });
    expect(await runs()).toEqual(['ie 2026-03-05 schedule', 'uk 2026-03-06 command']);
    expect(enqueued).toEqual(['crawl-taxonomy', 'follow-nights']);
  });

  test('only the nights of REGIONS are opened', async () => {
    await at('2026-03-01T02:00:05Z', (context) => openDueNights(context), { REGIONS: 'ie' });
    expect(await runs()).toEqual(['ie 2026-03-01 schedule']);
  });

  test('each region opens at its own time of NIGHT_AT', async () => {
    const env = { NIGHT_AT: 'uk=02:00,ie=03:30' };
    await at('2026-03-01T03:00:00Z', (context) => openDueNights(context), env);
    expect(await runs()).toEqual(['uk 2026-03-01 schedule']);
    await at('2026-03-01T03:30:00Z', (context) => openDueNights(context), env);
    expect(await runs()).toEqual(['ie 2026-03-01 schedule', 'uk 2026-03-01 schedule']);
  });

  async function openDueNights(context: Context): Promise<Run[]> {
    const opened = [];
    for (const region of context.settings.regions) opened.push(await openDueNight(context, region));
    return opened.filter((run) => run !== null);
  }

  /** Ends without a page, which does not matter here. */
  async function published(run: Run): Promise<void> {
    for (const step of ['startCategories', 'startDetails', 'startFinishing'] as const)
      expect(await move(installation.db, step, run)).toBe(true);
    expect(await move(installation.db, 'publish', run, { verdict: 'partial', finishedAt: run.startedAt })).toBe(true);
  }

  type Context = JobContext;

  /** Everything that crawls except workers, so that runs stay as they were opened. */
  function at(instant: string, use: (context: Context) => Promise<unknown>, env: Record<string, string> = {}) {
    return withCrawler(
      { installation, upstream: 'http://127.0.0.1:9', now: new Date(instant), env, crawler: { jobs: [] } },
      async (_, { context }) => void (await use(context)),
    );
  }

  async function runs(): Promise<string[]> {
    const rows = await rowsOf<{ run: string }>(
      installation.db,
      `select region || ' ' || snapshot_date || ' ' || origin || case status
         when 'expired' then ' expired'
         else ''
       end as run
       from ops.run
       order by 1`,
    );
    return rows.map(({ run }) => run);
  }
});
