import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobContext } from '../../jobs/context.ts';
import { watchRuns } from '../../jobs/watch-runs.ts';
import { abandonRun } from '../../src/crawl/run/end.ts';
import { openNight } from '../../src/crawl/run/open.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { endpointsOf } from '../../src/source/endpoints/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createRefusingUpstream, type Refusal, type RefusingUpstream } from '../support/refusing-upstream.ts';
import { endPauses, lengthenStops } from '../support/stops.ts';
import { disagreements } from '../support/truth.ts';

const refusals: Readonly<Record<string, Refusal>> = {
  'the key is refused': { status: 401, body: { message: 'Invalid API key.' } },
  'the listing moved': { status: 302, headers: { location: 'http://elsewhere.example/' } },
  'the path is unknown': { status: 404, body: { message: "Endpoint '/x' does not exist" } },
};

describe('a run that waits', () => {
  const installation = useInstallation();
  const date = '2026-03-01';
  let simulator: Simulator;
  let upstream: RefusingUpstream;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 300, superDepartments: 6, date });
    upstream = await createRefusingUpstream(simulator.url);
  });
  afterAll(async () => {
    await upstream.close();
    await simulator.close();
  });
  /** Each test continues with the database of the previous one. */
  test.each([
    ['for its taxonomy', '2026-03-01', ['the key is refused', 'the path is unknown'], 1],
    // The first stops requests with the key, the second all requests to the listing.
    ['for its pages', '2026-03-02', ['the key is refused', 'the listing moved'], 6],
  ])('a run waiting %s sends one probe a pause, and continues by itself', async (_, date, reasons, from) => {
    simulator.change({ date });
    await working(date, async (context) => {
      upstream.refuse(refusals[reasons[0]!]!, from);
      const run = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'schedule' });
      await context.dispatch(run!.runId);
      for (const why of reasons) {
        await lengthenStops(installation.db);
        await settled();
        upstream.refuse(refusals[why]!);
        await expectOneProbeAPause(context, why, from === 1);
      }

      upstream.refuse(null);
      await until(async () => {
        await endPauses(installation.db);
        await look(context);
        return (await runs()).includes(`${date} published complete`);
      });
    });
    expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
    const tried = await rowsOf(installation.db, 'select 1 from ops.category_page where attempts > 1');
    expect(tried).toEqual([]);
  });

  async function expectOneProbeAPause(context: JobContext, why: string, isAtTaxonomy: boolean): Promise<void> {
    // Where a path is unknown, each that the endpoint may have is tried.
    const requests = why === 'the path is unknown' && isAtTaxonomy ? endpointsOf.uk.taxonomy.paths.length : 1;
    for (let pause = 0; pause < 2; pause += 1) {
      const before = upstream.asked;
      await look(context);
      await settled();
      expect(upstream.asked, why).toBe(before);
      await endPauses(installation.db);
      await until(async () => {
        await look(context);
        return upstream.asked > before;
      });
      await lengthenStops(installation.db);
      await settled();
      expect(upstream.asked - before, why).toBe(requests);
    }
  }

  test('a waiting run ends as partial when the next night is due, with its data and nothing absent', async () => {
    simulator.change({ date: '2026-03-03' });
    upstream.refuse(refusals['the key is refused']!, 12);
    await working('2026-03-03', async (context) => {
      await look(context);
      await lengthenStops(installation.db);
      await settled();
    });

    simulator.change({ date: '2026-03-04' });
    await working('2026-03-04', async (context) => {
      await look(context);
      await until(async () => (await runs()).includes('2026-03-03 published partial'));
      const gone = `select 1 from catalog.availability_spell h join ops.run r on r.observed_at = h.valid_from
        where r.region = 'uk' and r.snapshot_date = '2026-03-03' and h.availability in ('absent', 'delisted')`;
      expect(await rowsOf(installation.db, gone)).toEqual([]);
      upstream.refuse(null);
      await until(async () => {
        await endPauses(installation.db);
        await look(context);
        return (await runs()).includes('2026-03-04 published complete');
      });
    });
    expect(await disagreements(installation.db, simulator, 'uk', '2026-03-04')).toEqual([]);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  /** With workers, in the night of a date, which the other region has behind it. */
  function working(night: string, use: (context: JobContext) => Promise<void>) {
    return withCrawler({ installation, upstream: upstream.url, now: nightOf(night) }, async (_, { context }) => {
      const other = await openNight(context, { region: 'ie', maxDetails: 0, origin: 'schedule' });
      await abandonRun(context, other!.runId, nightOf(night));
      await use(context);
    });
  }

  /** As `watch-runs` does. */
  async function look(context: JobContext): Promise<void> {
    await watchRuns.run({}, context, new AbortController().signal);
  }

  /** All requests in flight have returned. */
  async function settled(): Promise<void> {
    for (let asked = -1; asked !== upstream.asked; await sleep(300)) asked = upstream.asked;
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await sleep(50);
  }

  async function runs(): Promise<string[]> {
    const rows = await rowsOf<{ run: string }>(
      installation.db,
      `select concat_ws(' ', snapshot_date, status, verdict) as run from ops.run where region = 'uk'`,
    );
    return rows.map(({ run }) => run);
  }
});
