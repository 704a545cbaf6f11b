import { afterAll, beforeAll, expect, test } from 'vitest';
import { probeListings } from '../../jobs/probe-listings.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { withCrawler } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const book = useInstallation();
const { run, start } = useHousehold({ book });
const lastOfMarch = '2026-03-31T02:00:00Z';
const perSecond = 6;
/** 16 of `pricebook probe`, and one of the health probe that runs every six hours. */
const probed = 17;

let simulator: Simulator;
let upstream: Record<string, string>;
/** What night and probes take together: what every window allows. */
let together = 0;
let month = 0;
beforeAll(async () => {
  simulator = await createSimulator({
    items: 600,
    superDepartments: 6,
    // Makes the number of requests of a night exactly known.
    evolve: false,
    date: '2026-03-30',
    now: () => new Date(lastOfMarch),
    subscribedOn: '2026-01-01',
  });
  upstream = { GROCERY_BASE_URL: simulator.url, GROCERY_RESERVE: '0' };
});
afterAll(() => simulator.close());

const onLastNight = (args: readonly string[], env: Record<string, string>) =>
  run(['--now', lastOfMarch, ...args], { ...upstream, ...env });
const crawling = (now: string) => ['--now', now, 'crawl', '--region', 'uk', '--max-details', '0'];
const clockMs = async () => {
  const [clock] = await rowsOf<{ ms: number }>(book.db, 'select ops.clock_ms() as ms');
  return clock!.ms;
};

test('two probes and a night with the same key share every window exactly, and the night is correct', {
  timeout: 120_000,
}, async () => {
  expect((await run(crawling('2026-03-30T02:00:00Z'), upstream)).code).toBe(0);
  const before = simulator.log().total;
  const plan = await onLastNight(['plan', '--region', 'uk', '--max-details', '0', '--json'], {});
  const night: number = JSON.parse(plan.stdout).regions[0].requests.total;
  together = night + probed;
  month = before + together;
  simulator.change({
    date: '2026-03-31',
    requestsPerMinute: together,
    requestsPerHour: together,
    requestsPerDay: together,
    monthlyQuota: month,
  });
  simulator.resetLog();
  const env = {
    ...upstream,
    GROCERY_REQUESTS_PER_SECOND: String(perSecond),
    GROCERY_LIMITS: `${together}/minute; ${together}/hour; ${together}/day`,
    GROCERY_MONTHLY_QUOTA: String(month),
    REQUEST_CONCURRENCY: '2',
  };

  const crawl = start(crawling(lastOfMarch), env);
  await expect.poll(() => simulator.log().byEndpoint['category-page'], { timeout: 60_000 }).toBeDefined();
  const [metMs, arrivedUntilThen] = [await clockMs(), simulator.log().total];
  const [report] = await Promise.all([
    run(['--now', lastOfMarch, 'probe', '--yes', '--json'], env),
    withCrawler(
      {
        installation: book,
        upstream: simulator.url,
        now: new Date(lastOfMarch),
        clock: 'played',
        env,
        crawler: { jobs: [] },
      },
      (_, { context }) => probeListings.run({}, context, new AbortController().signal),
    ),
  ]);
  expect([report.code, JSON.parse(report.stdout).stopped_for]).toEqual([0, null]);
  const { code, stdout } = await crawl.ended;
  expect([code, stdout]).toEqual([0, expect.stringMatching(/uk .*complete/)]);

  const { total, byStatus, byEndpoint, requests } = simulator.log({ full: true });
  expect(requests!.slice(requests!.findIndex(({ path }) => path === '/health')).length).toBeGreaterThan(probed);
  expect([total, byStatus['429']]).toEqual([together, undefined]);
  const spent = await rowsOf<{ endpoint: string; isOfRun: boolean; units: number; sent: number; settled: number }>(
    book.db,
    `select endpoint, run_id is not null as "isOfRun", sum(units)::int as units, sum(sent)::int as sent,
       sum(ok + failed + refused + rate_limited + quota + denied)::int as settled
     from ops.spend where run_id is null or run_id = (select max(run_id) from ops.run)
     group by endpoint, run_id is not null`,
  );
  const sumOf = (some: typeof spent) => some.reduce((sum, { sent }) => sum + sent, 0);
  expect(sumOf(spent.filter(({ isOfRun }) => isOfRun))).toBe(night);
  expect(sumOf(spent.filter(({ isOfRun }) => !isOfRun))).toBe(probed);
  expect(spent.every(({ sent, settled }) => sent === settled)).toBe(true);
  // Every reservation was used or returned.
  expect(spent.filter(({ units, sent }) => units !== sent)).toEqual([]);
  const pages = spent.filter(({ endpoint }) => endpoint === 'uk-category-page');
  expect([pages.length, sumOf(pages)]).toEqual([2, arrived(byEndpoint['category-page'])]);

  // Two answers of `probe`, and that of the job: all are archived.
  expect(
    await rowsOf(book.db, `select count(*)::int as answers from ops.payload where endpoint = 'grocery-health'`),
  ).toEqual([{ answers: 3 }]);
  const [pace] = await rowsOf<{ next: number }>(book.db, 'select next_slot_ms as next from ops.listing');
  // Where each kept a pace of its own, the schedule would have run for less; a request may have been under way then.
  const still = together - arrivedUntilThen - 1;
  expect(pace!.next - metMs).toBeGreaterThanOrEqual((still * 1_000) / perSecond);
  expect(await disagreements(book.db, simulator, 'uk', '2026-03-31')).toEqual([]);
  expect(await brokenInvariants(book.db)).toEqual([]);
});

test.each([
  ['the monthly quota', (more: number) => ({ GROCERY_MONTHLY_QUOTA: String(month + more) })],
  [
    'the requests of a day',
    (more: number) => ({ GROCERY_LIMITS: `${together + more}/day`, GROCERY_MONTHLY_QUOTA: '0' }),
  ],
  [
    'the requests of an hour',
    (more: number) => ({ GROCERY_LIMITS: `${together + more}/hour`, GROCERY_MONTHLY_QUOTA: '0' }),
  ],
  // A window counts the requests of the commands that were told of it.
] as const)('after the probes nothing is left of %s, and nothing was counted twice', async (what, limit) => {
  simulator.change({ requestsPerMinute: 0, requestsPerHour: 0, requestsPerDay: 0, monthlyQuota: 2 * month });
  const arrivedBefore = simulator.log().total;
  const refused = await onLastNight(['search', 'milk'], limit(0));
  expect([refused.code, refused.stderr]).toEqual([75, expect.stringContaining(what)]);
  expect(simulator.log().total).toBe(arrivedBefore);
  expect((await onLastNight(['search', 'milk'], limit(1))).code).toBe(0);
  expect(simulator.log().total).toBe(arrivedBefore + 1);
});

function arrived(byStatus: Readonly<Record<string, number>> = {}): number {
  return Object.values(byStatus).reduce((sum, count) => sum + count, 0);
}
