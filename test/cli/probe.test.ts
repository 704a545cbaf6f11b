import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { profiledPageSize } from '../../src/crawl/ledger/listing-profiles.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

const database = useDatabase();
const household = useHousehold();
let simulator: Simulator;
let env: Record<string, string>;

beforeAll(async () => {
  simulator = await createSimulator({ items: 3000, date: '2026-03-01', pageSize: 20 });
  env = { DATABASE_URL: database.url, GROCERY_BASE_URL: simulator.url };
});
afterAll(() => simulator.close());

const probe = (...more: string[]) => household.run(['--now', '2026-03-01', 'probe', ...more], env);

test('probe needs --yes without a terminal and sends no request', async () => {
  const { code, stdout, stderr } = await probe();
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('Confirm with --yes. No request was sent.')]);
  expect(simulator.log().total).toBe(0);
});

test('probe checks every grocery contract with at most 20 requests, and stores report and profile', async () => {
  const { code, stdout } = await probe('--yes', '--json');
  expect(code).toBe(0);
  expect(simulator.log().total).toBeLessThanOrEqual(20);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ version: 1, stopped_for: null });
  expect(report.limits).toEqual({ rate_headers: [], quota: null, health_is_counted: null });
  expect(new Set(report.checks.map(({ endpoint }: { endpoint: string }) => endpoint)).size).toBe(8);
  expect(report.checks.filter(({ outcome }: { outcome: string }) => outcome === 'broken')).toEqual([]);
  expect(report.regions).toMatchObject([
    {
      region: 'uk',
      page_size: 20,
      answers: {
        results_per_page: 20,
        page_beyond_the_end: '0 products',
        unknown_category: '0 products',
        search_pages: 'the first page only',
      },
    },
    { region: 'ie', page_size: 20 },
  ]);
  const folder = join(household.home, 'probes');
  expect(readFileSync(join(folder, readdirSync(folder)[0]!), 'utf8')).toBe(stdout);
  expect([await profiledPageSize(database.db, 'uk'), await profiledPageSize(database.db, 'ie')]).toEqual([20, 20]);
});

test.each([
  ['from0', 'from 0', 0],
  ['from1', 'from 1', 1],
] as const)(
  'probe detects whether search has pages (%s), and reads limits from headers',
  async (searchPages, found, more) => {
    simulator.change({ searchPages, monthlyQuota: 5_000 });
    simulator.resetLog();
    const { code, stdout } = await probe('--yes', '--json');
    simulator.change({ searchPages: 'none', monthlyQuota: 0 });
    expect(code).toBe(0);
    const { limits, regions } = JSON.parse(stdout);
    expect(regions[0].answers.search_pages).toBe(found);
    expect(limits).toMatchObject({
      rate_headers: ['x-ratelimit-requests-limit', 'x-ratelimit-requests-remaining', 'x-ratelimit-requests-reset'],
      quota: { limit: 5_000, resets_at: expect.stringMatching(/^2026-0[34]/) },
      health_is_counted: true,
    });
    expect(simulator.log().total).toBe(15 + more);
  },
);

test('probe reports the elements that violate a contract', async () => {
  simulator.change({
    faults: [{ kind: 'movedField', endpoint: 'category-page', field: 'price.price', to: 'price.amount' }],
  });
  const { stdout } = await probe('--yes', '--json');
  expect(JSON.parse(stdout).checks).toContainEqual({
    endpoint: 'uk-category-page',
    asked: 'the first page',
    outcome: 'partly',
    said: '20 elements are rejected',
  });
});

test('repeated rate limiting does not exceed 20 requests', async () => {
  simulator.change({ faults: [{ kind: 'rate429', every: 2, retryAfter: '0' }] });
  simulator.resetLog();
  const { stdout } = await probe('--yes', '--json');
  simulator.change({ faults: [] });
  expect(JSON.parse(stdout).stopped_for).toMatch(/20 requests/);
  expect(simulator.log().total).toBeLessThanOrEqual(20);
});

test('probe stops at the first failure of the upstream, within 20 requests', async () => {
  const before = simulator.log().total;
  simulator.change({ faults: [{ kind: 'vendor500' }] });
  const { code, stdout } = await probe('--yes', '--json');
  expect(code).toBe(69);
  expect(JSON.parse(stdout).stopped_for).toMatch(/unavailable/);
  expect(simulator.log().total - before).toBeLessThanOrEqual(20);
  expect(await rowsOf(database.db, 'select region from ops.listing_profile order by region')).toHaveLength(2);
});
