import { beforeEach, describe, expect, test } from 'vitest';
import type { JobContext } from '../../jobs/context.ts';
import { regionCodes } from '../../src/base/model/index.ts';
import { abandonRun } from '../../src/crawl/ledger/end-run.ts';
import { move } from '../../src/crawl/ledger/run-life.ts';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { nightDue, openDueNights } from '../../src/crawl/open-due-nights.ts';
import { openNight } from '../../src/crawl/open-night.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { withCrawler } from '../support/crawl.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { waitingFor } from '../support/run-stop.ts';

describe('the due night', () => {
  test.each([
    ['2026-03-01T01:59:59Z', null],
    ['2026-03-01T02:00:00Z', '2026-03-01'],
    ['2026-03-28T23:59:00Z', '2026-03-28'],
    // The clock changes from 01:00 to 02:00: the night begins an hour earlier by UTC, and once.
    ['2026-03-29T00:59:59Z', null],
    ['2026-03-29T01:00:00Z', '2026-03-29'],
    ['2026-07-01T00:59:59Z', null],
    ['2026-07-01T01:00:00Z', '2026-07-01'],
    // Clocks go from 02:00 back to 01:00.
    ['2026-10-25T00:59:59Z', null],
    ['2026-10-25T01:30:00Z', null],
    ['2026-10-25T02:00:00Z', '2026-10-25'],
    ['2026-12-31T23:59:59Z', '2026-12-31'],
  ])('the due night at %s is %s', (instant, night) => {
    expect(nightDue('uk', new Date(instant))).toBe(night);
    expect(nightDue('ie', new Date(instant))).toBe(night);
  });
});

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

  test('a night is not opened before it is due', async () => {
    await at('2026-03-01T01:30:00Z', (context) => openDueNights(context));
    expect(await runs()).toEqual([]);
  });

  test('a night that was crawled by hand is not opened', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      const run = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'command' });
      await published(run!);
      await openDueNights(context);
    });
    expect(await runs()).toEqual(['ie 2026-03-01 schedule', 'uk 2026-03-01 command']);
  });

  test('a night that passed while no process ran is recorded as missed and not crawled later', async () => {
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
      `select region || ' ' || snapshot_date as night from ops.missed_night order by 1`,
    );
    expect(missed.map(({ night }) => night)).toEqual(
      ['ie', 'uk'].flatMap((region) => ['02', '03', '04'].map((day) => `${region} 2026-03-${day}`)),
    );
  });

  test.each(['schedule', 'command'] as const)(
    'a night that passed is recorded as missed although a %s has opened the due night',
    async (origin) => {
      await at('2026-03-01T02:00:05Z', async (context) => {
        for (const run of await openDueNights(context)) await published(run);
      });
      await at('2026-03-03T02:00:05Z', async (context) => {
        await openNight(context, { region: 'uk', maxDetails: 0, origin });
        await openDueNights(context);
      });
      const missed = await rowsOf<{ night: string }>(
        installation.db,
        `select region || ' ' || snapshot_date as night from ops.missed_night order by 1`,
      );
      expect(missed.map(({ night }) => night)).toEqual(['ie 2026-03-02', 'uk 2026-03-02']);
    },
  );

  test('a night that the schedule opened and a person abandoned is not opened again', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      await openDueNights(context);
      for (const { runId } of await context.runs.allOpen()) await abandonRun(context, runId, context.clock.now());
      await openDueNights(context);
    });
    expect((await runs()).length).toBe(2);
  });

  test('a night waits for the previous night, because a region is never crawled twice at a time', async () => {
    await at('2026-03-01T16:00:00Z', (context) => openDueNights(context));
    await at('2026-03-02T02:00:05Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(['ie 2026-03-01 schedule', 'uk 2026-03-01 schedule']);
  });

  test('a night that is interrupted and idle for half a day is replaced by the next one', async () => {
    await at('2026-03-01T02:00:05Z', (context) => openDueNights(context));
    await at('2026-03-02T02:00:05Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(
      ['ie', 'uk'].flatMap((region) => [`${region} 2026-03-01 schedule expired`, `${region} 2026-03-02 schedule`]),
    );
  });

  test('a waiting night that has read nothing is replaced when the next one is due', async () => {
    await at('2026-03-01T02:00:05Z', async (context) => {
      for (const { runId } of await openDueNights(context))
        await context.runs.pause(runId, waitingFor('the key is refused'));
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
        await context.runs.pause(run!.runId, waitingFor('the quota is used up', new Date('2026-03-02T03:00:00Z')));
      }
    });
    await at('2026-03-02T02:00:05Z', (context) => openDueNights(context));
    expect(await runs()).toEqual(['ie 2026-03-01 command', 'uk 2026-03-01 command']);
  });

  /** Ends without a page, which does not matter here. */
  async function published(run: Run): Promise<void> {
    for (const step of ['startCategories', 'startDetails', 'startFinishing'] as const)
      expect(await move(installation.db, step, run)).toBe(true);
    expect(await move(installation.db, 'publish', run, { verdict: 'partial', finishedAt: run.startedAt })).toBe(true);
  }

  type Context = JobContext;

  /** Everything that crawls except workers, so that runs stay as they were opened. */
  function at(instant: string, use: (context: Context) => Promise<unknown>) {
    return withCrawler(
      { installation, upstream: 'http://127.0.0.1:9', now: new Date(instant), crawler: { jobs: [] } },
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
