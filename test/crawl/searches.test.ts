import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { requestDetails } from '../../src/crawl/ledger/details.ts';
import { openSearches } from '../../src/crawl/run/side-runs.ts';
import { shownForm } from '../../src/crawl/stage/search.ts';
import { saveSearch, searchKeywords } from '../../src/publish/save-search.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { searchOf } from '../../src/source/endpoints/index.ts';
import { nightOf, withCrawler } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const { signal } = new AbortController();

describe('section 4.1, searching products by keyword', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    simulator = await createSimulator({ items: 300, superDepartments: 3, date: '2026-03-01' });
  });
  afterAll(() => simulator.close());

  const ask = async (text: string, values: unknown[] = []) => (await installation.db.query(text, values)).rows;
  const options = (date: string) => ({
    installation,
    upstream: simulator.url,
    now: nightOf(date),
    regions: ['uk'] as const,
    env: { SEARCH_KEYWORDS: 'fresh; food ;fresh' },
  });
  const night = (date: string) => {
    simulator.change({ date });
    const { upstream, regions, env } = options(date);
    return crawlDirectly({ installation, upstream, date, regions, maxDetails: 5, env });
  };
  const searched = (date: string) =>
    withCrawler({ ...options(date), crawler: { jobs: [] } }, async (_, { context }) => {
      const run = await openSearches(context, context.settings.searchKeywords, 'schedule');
      if (run) await searchKeywords(context, run, signal);
    });

  it('searches store the first page of each keyword in order, once a night', async () => {
    await searched('2026-03-01');
    const spent = simulator.log().byEndpoint['product-search-by-keyword'];
    expect(spent).toEqual({ 200: 2 });
    await searched('2026-03-01');
    expect(simulator.log().byEndpoint['product-search-by-keyword']).toEqual(spent);
    const ranks = await ask(
      `select keyword, rank, product_id, sponsored, currency from marts.fct_search_rank order by keyword, rank`,
    );
    expect(ranks.length).toBeGreaterThan(20);
    expect(ranks.filter((row) => row['keyword'] === 'fresh').map((row) => row['rank'])).toEqual(
      ranks.filter((row) => row['keyword'] === 'fresh').map((_, index) => index + 1),
    );
    expect(ranks[0]).toMatchObject({ sponsored: null, currency: 'GBP' });
    // What is found does not enter the catalogue.
    expect(await ask('select * from catalog.product')).toEqual([]);
  });

  it('a search whose answer takes long is sent once, although another process looks for work meanwhile', async () => {
    const before = simulator.log().byEndpoint['product-search-by-keyword']!['200']!;
    simulator.change({ faults: [{ kind: 'slow', ms: 2_500, endpoint: 'product-search-by-keyword' }] });
    await Promise.all([searched('2026-02-28'), searched('2026-02-28')]);
    simulator.change({ faults: [] });
    expect(simulator.log().byEndpoint['product-search-by-keyword']).toEqual({ 200: before + 2 });
  });

  it("a search does not change the night's certificate", async () => {
    const [run] = await night('2026-03-01');
    expect(run?.verdict).toBe('complete');
    expect(await ask('select count(*)::int as n from marts.fct_search_rank where product_key is null')).toEqual([
      { n: 0 },
    ]);
  });

  it('the next night requests details of products that a search showed differently, within the limit', async () => {
    // The next search result differs from the catalogue.
    await installation.db.query(
      `update catalog.product set entry_hash = gen_random_uuid()
       where product_id in (select product_id from marts.fct_search_rank where keyword = 'fresh' and rank <= 2)`,
    );
    const changed = await ask(
      `select product_id from marts.fct_search_rank where keyword = 'fresh' and rank <= 2 order by 1`,
    );
    await withCrawler({ ...options('2026-03-01'), crawler: { jobs: [] } }, async (_, { context }) => {
      const keyword = { region: 'uk', keyword: 'fresh' } as const;
      const endpoint = searchOf.uk!;
      const answer = await context.ask(endpoint, keyword, null, signal);
      const { records } = endpoint.read(answer.body, keyword);
      const found = {
        ...keyword,
        snapshotDate: '2026-03-01',
        page: shownForm(records),
        receivedAt: nightOf('2026-03-01'),
      };
      expect(await installation.db.tx((tx) => saveSearch(tx, found))).toBe(2);
      expect(await requestDetails(installation.db, 'uk', ['no such product'])).toBe(0);
    });
    const [run] = await night('2026-03-02');
    expect(run?.verdict).toBe('complete');
    const asked = `select product_id, reason from ops.detail_fetch where run_id = $1 and status = 'done'`;
    const fetched = await ask(asked, [run!.runId]);
    expect(fetched).toEqual(expect.arrayContaining(changed.map((row) => ({ ...row, reason: 'requested' }))));
    expect(fetched.length).toBeLessThanOrEqual(5);
    const [next] = await night('2026-03-03');
    expect((await ask(asked, [next!.runId])).filter(({ reason }) => reason === 'requested')).toEqual([]);
  });
});
