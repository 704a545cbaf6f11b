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
/** Keywords and nights of saved searches. */
const saved = async () =>
  (
    await rowsOf<{ saved: string }>(
      book.db,
      `select distinct keyword || ' ' || snapshot_date as saved from marts.fct_search_rank order by 1`,
    )
  ).map((row) => row.saved);

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
  expect(await saved()).toEqual(['fresh', winner].sort().map((keyword) => `${keyword} 2026-03-31`));
});

test('repeating a search of the same night is refused before a request, and the saved one stays', async () => {
  const before = await saved();
  expect(await run(save('fresh'), env)).toMatchObject({ code: 75, stdout: '' });
  expect(await saved()).toEqual(before);
  expect(simulator.log().total).toBe(2);
});

test('nightly searches without requests left wait for the next month', async () => {
  const before = await saved();
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
        // `watch-runs` enqueues it again and again.
        for (let times = 0; times < 3; times++)
          await searchProducts.run({ region: 'uk' }, context, new AbortController().signal);
      },
    );
  // One more is left of the month than before: the first of them gets it.
  await nightly(now, { GROCERY_MONTHLY_QUOTA: '4' });
  expect(simulator.log()).toMatchObject({ total: 3, byStatus: { 200: 3 } });
  expect(await saved()).toEqual([...before, 'bread 2026-03-31'].sort());

  upstreamNow = nextMonth;
  await nightly(nextMonth);
  expect(simulator.log()).toMatchObject({ total: 5, byStatus: { 200: 5 } });
  expect((await saved()).filter((each) => each.endsWith('2026-04-01'))).toHaveLength(2);
  expect(await brokenInvariants(book.db)).toEqual([]);
});

test('the requests of a day limit searches in the same way', async () => {
  simulator.change({ monthlyQuota: 0 });
  const windowed = { GROCERY_BASE_URL: simulator.url, GROCERY_LIMITS: '2/day' };
  const arrived = simulator.log().total;
  for (const keyword of ['fresh', 'food'])
    expect((await run(['--now', '2026-04-02T02:00:00Z', 'search', keyword], windowed)).code).toBe(0);
  const before = await saved();
  expect(await run(['--now', '2026-04-02T02:00:00Z', 'search', 'milk', '--save'], windowed)).toMatchObject({
    code: 75,
    stdout: '',
    stderr: expect.stringMatching(/^pricebook: grocery: the requests of a day are used up\. .* after .*Z\.\n$/),
  });
  expect(simulator.log().total - arrived).toBe(2);
  expect(await saved()).toEqual(before);
});
