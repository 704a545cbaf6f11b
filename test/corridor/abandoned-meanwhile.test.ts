import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type Shelves, type SmallUpstream } from '../support/small-upstream.ts';

const date = '2026-03-01';
const goods = (first: number) => [0, 1, 2, 3, 4].map((n) => ({ id: String(first + n) }));
const shelves: Shelves = { Fruit: goods(100), Tea: goods(200) };

describe('a run abandoned by another process while its pages are requested', () => {
  const installation = useInstallation();
  const household = useHousehold();
  let upstream: SmallUpstream;
  let answer: () => void;
  let night: Promise<unknown>;
  let runId: number;
  beforeAll(async () => {
    const released = new Promise<void>((resolve) => (answer = resolve));
    upstream = await createSmallUpstream({ shelves, until: () => released });
    night = crawl();
  });
  afterAll(async () => {
    answer();
    await Promise.allSettled([night]);
    await upstream.close();
  });

  test('after another process abandons a run, late responses are discarded and nothing is planned', async () => {
    await expect.poll(() => upstream.log.length).toBe(2);
    const claimed = await rowsOf<{ runId: number }>(
      installation.db,
      `select run_id as "runId" from ops.category_page where status = 'planned' and worker_id is not null`,
    );
    expect(claimed).toHaveLength(2);
    runId = claimed[0]!.runId;
    const env = { DATABASE_URL: installation.databaseUrl, ...installation.queue };
    expect(await household.start(['crawl', '--abandon', String(runId)], env).ended).toMatchObject({ code: 0 });
    answer();
    await night;

    const pages = await rowsOf(
      installation.db,
      'select page_no, status, worker_id, error, items_received, seen_keys from ops.category_page',
    );
    const givenUp = { page_no: 1, status: 'failed', worker_id: null, error: 'the run was abandoned' };
    expect(pages).toEqual([1, 2].map(() => ({ ...givenUp, items_received: null, seen_keys: null })));
    for (const table of ['stage.product', 'stage.category', 'stage.promotion', 'catalog.product']) {
      expect(await rowsOf(installation.db, `select 1 from ${table}`), table).toEqual([]);
    }
    expect(upstream.log).toHaveLength(2);
  });

  test('late responses are counted and archived, and all invariants hold', async () => {
    const [spent] = await rowsOf(
      installation.db,
      `select r.status, r.requests_spent, sum(s.sent)::int as sent, sum(s.ok)::int as ok,
         (
           select count(*)::int
           from ops.payload p
           where p.run_id = r.run_id and p.endpoint = 'uk-category-page') as pages
       from ops.run r join ops.spend s using (run_id) group by r.run_id`,
    );
    expect(spent).toEqual({ status: 'abandoned', requests_spent: 3, sent: 3, ok: 3, pages: 2 });
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('the same night can be crawled completely afterwards', async () => {
    const [run] = await crawl();
    expect(run).toMatchObject({ status: 'published', verdict: 'complete', productsListed: 10 });
    expect(run!.runId).toBeGreaterThan(runId);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  function crawl() {
    return crawlNight({ installation, upstream: upstream.url, now: nightOf(date), regions: ['uk'] });
  }
});
