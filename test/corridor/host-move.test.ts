import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator, simulatorHosts } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { nightOf } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { startChild } from '../support/start-child.ts';
import { disagreements } from '../support/truth.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const date = '2026-03-01';
const { grocery: oldHost, grocery2: newHost } = simulatorHosts;
/** Slow enough that the night outlasts both comparisons. */
const slow = { kind: 'slow', ms: 250 } as const;

const { home, run } = useHousehold();
const database = useDatabase();
let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  simulator = await createSimulator({ items: 300, superDepartments: 6, date, monthlyQuota: 100_000 });
  env = { DATABASE_URL: database.url, GROCERY_BASE_URL: simulator.url, GROCERY_KEY: sentinelKey };
});
afterAll(() => simulator.close());
beforeEach(() => {
  simulator.change({ faults: [slow], goneHosts: [] });
  simulator.resetLog();
});

const migrate = (...more: string[]) => run(['listings', 'migrate', 'grocery', '--to', newHost, ...more], env);
const crawlInAnotherProcess = () =>
  startChild({
    installation: { databaseUrl: database.url },
    upstream: simulator.url,
    now: nightOf(date).toISOString(),
    regions: ['uk'],
    maxDetails: 0,
    home,
    env: { REQUEST_CONCURRENCY: '1' },
  });
const statuses = () => {
  const { byEndpoint } = simulator.log();
  return Object.fromEntries(Object.entries(byEndpoint).filter(([name]) => name !== 'no-such-endpoint'));
};

test('a difference on the new host found during a crawl stops the move', {
  timeout: 120_000,
}, async () => {
  const child = crawlInAnotherProcess();
  await expect.poll(() => simulator.log().total, { timeout: 60_000 }).toBeGreaterThan(5);
  simulator.change({ faults: [slow, { kind: 'renamedField', field: 'price', to: 'cost', host: newHost }] });
  const { code, stdout } = await migrate();
  expect(code).toBe(1);
  expect(stdout).toMatch(/field data\.products\[\]\.cost: missing -> /);
  expect(stdout).toContain('grocery stays at grocery.simulator');

  simulator.change({ faults: [slow] });
  const clean = await migrate();
  expect([clean.code, clean.stdout]).toEqual([
    0,
    expect.stringContaining('All processes now use grocery-2.simulator for grocery'),
  ]);
  // From here on the old host refuses all requests.
  simulator.change({ faults: [], goneHosts: [oldHost] });

  const { how, stdout: said, stderr } = await child.ended;
  expect([how, stderr]).toEqual([0, '']);
  expect(JSON.parse(said)).toEqual([{ region: 'uk', status: 'published', verdict: 'complete' }]);
  expect(await disagreements(database.db, simulator, 'uk', date)).toEqual([]);
  // Only the comparison's deliberately invalid request failed: a category page without a category, on each host.
  const refused = Object.entries(statuses()).flatMap(([name, counts]) =>
    Object.entries(counts)
      .filter(([status]) => status !== '200')
      .map(([status, count]) => [name, status, count]),
  );
  expect(refused).toEqual([['category-page', '400', 4]]);
  const hosts = await rowsOf<{ host: string; pages: number }>(
    database.db,
    'select host, count(*)::int as pages from ops.payload where run_id is not null group by host order by host',
  );
  expect(hosts.map(({ host }) => host)).toEqual([newHost, oldHost].sort());
});

test('crawls use the new host after a move, whatever is configured, and the old one after undoing it', {
  timeout: 120_000,
}, async () => {
  const night = async (date: string, env: Record<string, string> = {}) => {
    simulator.change({ date });
    const installation = { databaseUrl: database.url };
    return crawlDirectly({ installation, upstream: simulator.url, date, regions: ['uk'], env });
  };
  const published = [{ status: 'published', verdict: 'complete' }];
  simulator.change({ faults: [], goneHosts: [oldHost] });
  expect(await night('2026-03-02')).toMatchObject(published);
  expect(await night('2026-03-03', { GROCERY_HOST: newHost })).toMatchObject(published);
  expect(simulator.log().byHost).toEqual({ [newHost]: expect.any(Number) });

  expect((await run(['listings', 'migrate', 'grocery', '--back'], env)).code).toBe(0);
  simulator.resetLog();
  simulator.change({ goneHosts: [newHost] });
  expect(await night('2026-03-04')).toMatchObject(published);
  expect(simulator.log().byHost).toEqual({ [oldHost]: expect.any(Number) });
  const upstreams = await rowsOf<{ host: string }>(
    database.db,
    `select split_part(upstream, 'host ', 2) as host from ops.run order by run_id`,
  );
  expect(upstreams.map(({ host }) => host)).toEqual([newHost, newHost, newHost, oldHost]);
});
