import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobContext } from '../../jobs/context.ts';
import { watchRuns } from '../../jobs/watch-runs.ts';
import { abandonRun } from '../../src/crawl/ledger/end-run.ts';
import { openNight } from '../../src/crawl/open-night.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { endpointsOf } from '../../src/source/endpoints/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createRefusingUpstream, type Refusal, type RefusingUpstream } from '../support/refusing-upstream.ts';
import { disagreements } from '../support/truth.ts';

const refusals: Readonly<Record<string, Refusal>> = {
  'the key is refused': { status: 401, body: { message: 'Invalid API key.' } },
  'nobody is subscribed': { status: 403, body: { message: 'You are not subscribed to this API.' } },
  'the listing moved': { status: 302, headers: { location: 'http://elsewhere.example/' } },
  'the path is unknown': { status: 404, body: { message: "Endpoint '/x' does not exist" } },
  'the quota is used up for nobody knows how long': {
    status: 429,
    body: { message: 'You have exceeded the MONTHLY quota for Requests on your current plan' },
  },
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
    ['for its taxonomy', '2026-03-01', Object.keys(refusals), 1],
    // The first stops the listing, the second only the run.
    ['for its pages', '2026-03-02', ['the key is refused', 'the listing moved'], 5],
  ])('a run waiting %s sends one request per hour at most, and continues by itself', async (_, date, reasons, from) => {
    simulator.change({ date });
    await working(date, async (context) => {
      // Behind the taxonomy, which is one request.
      upstream.refuse(refusals[reasons[0]!]!, from === 1 ? 1 : from + 1);
      const run = await openNight(context, { region: 'uk', maxDetails: 0, origin: 'schedule' });
      await context.dispatch(run!.runId);
      for (const [nth, why] of reasons.entries()) {
        if (nth > 0) {
          upstream.refuse(refusals[why]!, from);
          const goal = upstream.asked + from;
          await anHourPasses();
          await until(async () => {
            await look(context);
            return upstream.asked >= goal;
          });
        }
        await until(isWaiting);
        await settled();
        await expectOneLookAnHour(context, why, from === 1);
      }

      upstream.refuse(null);
      await anHourPasses();
      await until(async () => {
        await look(context);
        return (await runs()).includes(`${date} published complete`);
      });
    });
    expect(await disagreements(installation.db, simulator, 'uk', date)).toEqual([]);
    const tried = await rowsOf(installation.db, 'select 1 from ops.category_page where attempts > 1');
    expect(tried).toEqual([]);
  });

  async function expectOneLookAnHour(context: JobContext, why: string, isAtTaxonomy: boolean): Promise<void> {
    // Where a path is unknown, each that the endpoint may have is tried.
    const requestsALook = why === 'the path is unknown' && isAtTaxonomy ? endpointsOf.uk.taxonomy.paths.length : 1;
    for (let hour = 0; hour < 2; hour += 1) {
      const before = upstream.asked;
      await look(context);
      expect(upstream.asked, why).toBe(before);
      await anHourPasses();
      await until(async () => {
        await look(context);
        return upstream.asked > before && (await isWaiting());
      });
      await settled();
      expect(upstream.asked - before, why).toBe(requestsALook);
    }
  }

  test('a waiting run ends as partial when the next night is due, with its data and nothing absent', async () => {
    const listed = await listedProducts();

    simulator.change({ date: '2026-03-03' });
    upstream.refuse(refusals['the key is refused']!, 12);
    await working('2026-03-03', async (context) => {
      await look(context);
      await until(isWaiting);
      await settled();
    });

    simulator.change({ date: '2026-03-04' });
    await working('2026-03-04', async (context) => {
      await look(context);
      await until(async () => (await runs()).includes('2026-03-03 published partial'));
      const gone = `select 1 from catalog.availability_spell h join ops.run r on r.observed_at = h.valid_from
        where r.region = 'uk' and r.snapshot_date = '2026-03-03' and h.availability in ('absent', 'delisted')`;
      expect(await rowsOf(installation.db, gone)).toEqual([]);
      expect(await listedProducts()).toBeGreaterThanOrEqual(listed);

      upstream.refuse(null);
      await until(async () => {
        await anHourPasses();
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

  async function anHourPasses(): Promise<void> {
    await installation.db.query(`
      update ops.stop set
        since = since - interval '61 minutes', until = until - interval '61 minutes',
        probed_at = probed_at - interval '61 minutes', probe_until = probe_until - interval '61 minutes'`);
  }

  async function isWaiting(): Promise<boolean> {
    const rows = await rowsOf(
      installation.db,
      `select 1 from ops.run r join ops.stop s on s.scope = 'run' and s.scope_id = r.run_id::text
       where region = 'uk' and status = 'open' and s.until > started_at + interval '5 minutes'`,
    );
    return rows.length > 0;
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

  async function listedProducts(): Promise<number> {
    const [row] = await rowsOf<{ listed: number }>(
      installation.db,
      `select count(*)::int as listed
       from catalog.availability_spell
       where valid_to is null and availability in ('available', 'unavailable')`,
    );
    return row!.listed;
  }
});
