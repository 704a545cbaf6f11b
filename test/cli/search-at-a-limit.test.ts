import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchProducts } from '../../jobs/search-products.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { withCrawler } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { useHousehold } from './pricebook.ts';

const now = '2026-03-31T02:00:00Z';
const nextMonth = '2026-04-01T02:00:00Z';
let upstreamNow = now;
const book = useInstallation();
const { run, start } = useHousehold({ book });
let simulator: Simulator;
let env: Record<string, string>;
beforeAll(async () => {
  simulator = await createSimulator({
    items: 120,
    superDepartments: 2,
    date: '2026-03-31',
    monthlyQuota: 5,
    now: () => new Date(upstreamNow),
    subscribedOn: '2026-01-01',
  });
  env = {
    GROCERY_BASE_URL: simulator.url,
    GROCERY_MONTHLY_QUOTA: '3',
    // Kept back for the pages of an open run: no search may have it.
    GROCERY_RESERVE: '1',
    GROCERY_PRICE: '9.00 USD',
  };
});
afterAll(() => simulator.close());

const save = (keyword: string) => ['--now', now, 'search', keyword, '--save', '--json'];
const usedUp = (what: string, until: string) =>
  `pricebook: grocery: ${what}. Nothing was lost; run the same command again after ${until}.\n`;
/** Everything that a search leaves behind but its request. */
const kept = async () => {
  const tables = {
    searches: `select keyword || ' ' || status as kept from ops.keyword_search`,
    ranks: 'select distinct keyword as kept from catalog.search_rank',
    filters: 'select distinct keyword as kept from catalog.search_filter',
    payloads: 'select request as kept from ops.payload',
  };
  const found: Record<string, string[]> = {};
  for (const [name, sql] of Object.entries(tables))
    found[name] = (await rowsOf<{ kept: string }>(book.db, `${sql} order by 1`)).map((row) => row.kept);
  return found;
};
const spent = async () =>
  (
    await rowsOf(
      book.db,
      `select sum(units)::int as units, sum(ok)::int as ok, sum(sent)::int as sent, sum(cost)::text as cost,
         count(run_id)::int as "ofRuns",
         (select used::int from ops.listing where listing = 'grocery') as month
       from ops.spend where listing = 'grocery'`,
    )
  )[0];

test('with one request left, one of two concurrent searches is saved and the other refused', async () => {
  expect((await run(save('fresh'), env)).code).toBe(0);
  const asked = { food: start(save('food'), env), fruit: start(save('fruit'), env) };
  const ended = { food: await asked.food.ended, fruit: await asked.fruit.ended };
  const [winner, loser] = ended.food.code === 0 ? (['food', 'fruit'] as const) : (['fruit', 'food'] as const);
  expect(ended[winner]).toMatchObject({ code: 0, stderr: expect.stringContaining('Saved as 2026-03-31') });
  expect(ended[loser]).toEqual({
    code: 75,
    stdout: '',
    stderr: usedUp('the monthly quota of 3 requests is used up except for a reserve of 1', '2026-04-01T00:00:00.000Z'),
  });
  expect(simulator.log()).toMatchObject({ total: 2, byStatus: { 200: 2 } });
  expect(await spent()).toEqual({ units: 2, ok: 2, sent: 2, cost: '6.0000000000000000', ofRuns: 0, month: 2 });
  const both = ['fresh', winner].sort();
  expect(await kept()).toMatchObject({ searches: both.map((keyword) => `${keyword} done`), ranks: both });
});

test('repeating a search of the same night is refused before a request, and the saved one stays', async () => {
  const before = await kept();
  expect(await run(save('fresh'), env)).toMatchObject({ code: 75, stdout: '' });
  expect(await kept()).toEqual(before);
  expect(simulator.log().total).toBe(2);
});

test('nightly searches without requests left wait for the next month and are reported', async () => {
  const { searches: _, ...before } = await kept();
  const nightly = (at: string, more: Record<string, string> = {}) =>
    withCrawler(
      {
        installation: book,
        upstream: simulator.url,
        now: new Date(at),
        clock: 'played',
        env: { ...env, SEARCH_KEYWORDS: 'milk;bread', ...more },
        crawler: { jobs: [] },
      },
      async (_, { context }) => {
        // The heartbeat enqueues it again and again.
        for (let times = 0; times < 3; times++)
          await searchProducts.run({ region: 'uk' }, context, new AbortController().signal);
      },
    );
  const planned = () =>
    rowsOf(
      book.db,
      `select keyword, snapshot_date::text as night, status, attempts, not_before as until, error
       from ops.keyword_search
       where keyword in ('milk', 'bread') order by night, keyword`,
    );
  // One more is left of the month than before: the first of them gets it.
  await nightly(now, { GROCERY_MONTHLY_QUOTA: '4' });
  const waiting = {
    status: 'planned',
    attempts: 0,
    until: new Date('2026-04-01T00:00:00Z'),
    error: expect.stringMatching(/^grocery: the monthly quota of 4 requests is used up except for a reserve of 1\. /),
  };
  const march = { night: '2026-03-31' };
  expect(await planned()).toMatchObject([
    { keyword: 'bread', ...march, status: 'done' },
    { keyword: 'milk', ...march, ...waiting },
  ]);
  expect(simulator.log()).toMatchObject({ total: 3, byStatus: { 200: 3 } });
  const { searches: _searches, ...after } = await kept();
  expect(after['ranks']).toEqual([...before['ranks']!, 'bread'].sort());

  upstreamNow = nextMonth;
  await nightly(nextMonth);
  const april = { night: '2026-04-01', status: 'done' };
  expect((await planned()).slice(2)).toMatchObject([
    { keyword: 'bread', ...april },
    { keyword: 'milk', ...april },
  ]);
  expect(simulator.log()).toMatchObject({ total: 5, byStatus: { 200: 5 } });
  expect(await brokenInvariants(book.db)).toEqual([]);
});

test.each([
  ['a day', '2/day'],
  ['an hour', '2/hour'],
])('%s limits searches in the same way', async (window, limits) => {
  simulator.change({ monthlyQuota: 0 });
  const windowed = { GROCERY_BASE_URL: simulator.url, GROCERY_LIMITS: limits };
  const arrived = simulator.log().total;
  for (const keyword of ['fresh', 'food'])
    expect((await run(['--now', '2026-04-02T02:00:00Z', 'search', keyword], windowed)).code).toBe(0);
  const before = await kept();
  const { code, stdout, stderr } = await run(['--now', '2026-04-02T02:00:00Z', 'search', 'milk', '--save'], windowed);
  expect([code, stdout, stderr]).toEqual([
    75,
    '',
    expect.stringMatching(
      new RegExp(
        `^pricebook: grocery: the requests of ${window} are used up\\. Nothing was lost; run .* after .*Z\\.\n$`,
      ),
    ),
  ]);
  expect(simulator.log().total - arrived).toBe(2);
  expect(await kept()).toEqual(before);
});
