import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createPackFolder } from '../../src/crawl/archive/pack-folder.ts';
import { createArchive } from '../../src/crawl/archive/payload-archive.ts';
import { createPayloadIndex } from '../../src/crawl/ledger/payloads.ts';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type LogReport, type Simulator } from '../../src/simulator/index.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { describeOnEachQueue } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const date = '2026-03-01';
const maxDetails = 40;

describeOnEachQueue('one night of both regions', (installation) => {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-night-'));
  let simulator: Simulator;
  let runs: Run[];
  let log: LogReport;

  beforeAll(async () => {
    simulator = await createSimulator({ items: 240, superDepartments: 4, date });
    runs = await crawlNight({ installation, upstream: simulator.url, now: nightOf(date), maxDetails, home });
    log = simulator.log({ full: true });
  });
  afterAll(async () => {
    await simulator?.close();
    rmSync(home, { recursive: true, force: true });
  });

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
           > 5 as "hasNutrition"
       from catalog.product_detail d join catalog.product using (product_key)
       where d.valid_to is null group by region order by region desc`,
    );
    expect(rows).toEqual([
      { region: 'uk', details: maxDetails, hasNutrition: true },
      { region: 'ie', details: maxDetails, hasNutrition: true },
    ]);
  });

  test('every payload is archived, readable and matches its hash', async () => {
    const payloads = await rowsOf<{ sha256: string; request: string }>(
      installation.db,
      `select encode(sha256, 'hex') as sha256, request from ops.payload`,
    );
    expect(payloads.map(({ request }) => request).sort()).toEqual(log.requests!.map(({ path }) => path).sort());
    const packs = createPackFolder(join(home, 'archive'));
    const archive = createArchive({ packs, index: createPayloadIndex(installation.db) });
    for (const { sha256 } of payloads) {
      const body = await archive.get(sha256);
      expect(createHash('sha256').update(body).digest('hex')).toBe(sha256);
    }
  });

  test("the spend equals the upstream's count", async () => {
    const [spend] = await rowsOf(
      installation.db,
      'select sum(sent)::int as sent, sum(ok)::int as ok, sum(sent - ok)::int as other from ops.spend',
    );
    expect(spend).toEqual({ sent: log.total, ok: log.metered, other: 0 });
    expect(runs.reduce((sum, { requestsSpent }) => sum + requestsSpent!, 0)).toBe(log.total);
  });

  test('no request is sent twice', () => {
    const paths = log.requests!.map(({ path }) => path);
    expect(paths.length - new Set(paths).size).toBe(0);
  });
});
