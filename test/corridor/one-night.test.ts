import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/run/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type LogReport, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const date = '2026-03-01';
const maxDetails = 20;

describeOnEachQueue('one night of both regions', (installation) => {
  let simulator: Simulator;
  let runs: Run[];
  let log: LogReport;

  beforeAll(async () => {
    simulator = await createSimulator({ items: 360, superDepartments: 4, date });
    runs = await crawlNight({ installation, upstream: simulator.url, now: nightOf(date), maxDetails });
    log = simulator.log({ full: true });
  });
  afterAll(() => simulator?.close());

  test.each(['uk', 'ie'] as const)("one night stores exactly the upstream's catalogue: %s", async (region) => {
    expect(await disagreements(installation.db, simulator, region, date)).toEqual([]);
  });

  test('a night is certified complete with its figures', async () => {
    expect(runs.map(({ region, status, verdict, phase }) => ({ region, status, verdict, phase }))).toEqual([
      { region: 'uk', status: 'published', verdict: 'complete', phase: 'over' },
      { region: 'ie', status: 'published', verdict: 'complete', phase: 'over' },
    ]);
    for (const run of runs) {
      const { products, available } = simulator.summary(run.region, date);
      expect(run).toMatchObject({ snapshotDate: date, productsListed: products, productsAvailable: available });
    }
    const certificates = await rowsOf(installation.db, 'select verdict, reasons from ops.certificate');
    expect(certificates).toEqual([
      { verdict: 'complete', reasons: [] },
      { verdict: 'complete', reasons: [] },
    ]);
  });

  test('a night stores details and nutrition of as many new products as allowed', async () => {
    const rows = await rowsOf(
      installation.db,
      `select region, count(*)::int as details, (count(*) filter (where exists (
         select from catalog.product_nutrition n
         where n.product_key = d.product_key and n.valid_from = d.valid_from)))::int
           > 5 as has_nutrition
       from catalog.product_detail d join catalog.product using (product_key)
       where d.valid_to is null group by region order by region desc`,
    );
    expect(rows).toEqual([
      { region: 'uk', details: maxDetails, has_nutrition: true },
      { region: 'ie', details: maxDetails, has_nutrition: true },
    ]);
  });

  test('every response is archived, and no request is sent twice', async () => {
    const payloads = await rowsOf<{ request: string }>(installation.db, 'select request from ops.payload');
    const paths = log.requests!.map(({ path }) => path);
    expect(payloads.map(({ request }) => request).sort()).toEqual(paths.sort());
    expect(paths.length - new Set(paths).size).toBe(0);
  });

  test("the spend equals the upstream's count", async () => {
    const [spend] = await rowsOf(
      installation.db,
      'select sum(sent)::int as sent, sum(ok)::int as ok, sum(sent - ok)::int as other from ops.spend',
    );
    expect(spend).toEqual({ sent: log.total, ok: log.metered, other: 0 });
    expect(runs.reduce((sum, { requestsSpent }) => sum + requestsSpent!, 0)).toBe(log.total);
  });
});
