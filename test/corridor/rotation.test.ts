import { beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/ledger/runs.ts';
import { readCertificate } from '../../src/crawl/status/certificates.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useReplayedBook } from '../replay/replayed-book.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { openDirectBook } from '../trust/direct-book.ts';

/** A whole night, two on which the quota does not reach for the pages, and a whole one again. */
const book = useReplayedBook({ items: 200, superDepartments: 6, dailyChange: 0.02, dailyTurnover: 0.03 }, ['uk']);
const [first, second, third, last] = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const;
const runs: Record<string, Run> = {};

beforeAll(async () => {
  await crawl(first);
  // Requests of the first night, the reserve, and about eight requests for each of the 30 remaining nights.
  const spent = runs[first]!.requestsSpent!;
  const env = { GROCERY_MONTHLY_QUOTA: String(spent + 8 * 30), GROCERY_RESERVE: '0' };
  await crawl(second, env);
  await crawl(third, env);
  await crawl(last);
});

async function crawl(date: string, env: Record<string, string> = {}): Promise<void> {
  const { installation, simulator, home } = book;
  simulator.change({ date });
  const own = { DATABASE_URL: installation.databaseUrl, ...installation.queue, GROCERY_KEY: sentinelKey };
  const direct = await openDirectBook({
    upstream: simulator.url,
    home,
    env: { ...own, ARCHIVE: 'file', GROCERY_REQUESTS_PER_SECOND: '0', ...env },
  });
  try {
    runs[date] = await direct.night('uk', date);
  } finally {
    await direct.close();
  }
}

const reasonsOf = async (date: string) => (await readCertificate(book.installation.db, runs[date]!.runId))!.reasons;

/** Top-level categories that a night read, and those it left. */
async function turnsOf(date: string): Promise<{ read: string[]; left: string[] }> {
  const [turns] = await rowsOf<{ read: string[]; left: string[] }>(
    book.installation.db,
    `select array(
       select category_id
       from ops.category_crawl
       where run_id = $1 and root_no = category_no
       order by 1) as read,
       array(select category_id from ops.category_deferred where run_id = $1 order by 1) as left`,
    [runs[date]!.runId],
  );
  return turns!;
}

test('categories rotate if the quota is too small, and the certificate lists those that wait', async () => {
  expect(runs[first]!.verdict).toBe('complete');
  expect(runs[second]).toMatchObject({ status: 'published', verdict: 'partial' });
  const { read, left } = await turnsOf(second);
  expect(read.length).toBeGreaterThan(0);
  const [lead, ...each] = await reasonsOf(second);
  expect(lead).toContain(`${left.length} of 6 categories wait for another night`);
  expect(each).toHaveLength(left.length);
  for (const reason of each) expect(reason).toMatch(/^.+: not requested tonight, last read on 2026-03-01$/);
});

test('categories that waited longer are read next', async () => {
  const [before, after] = [await turnsOf(second), await turnsOf(third)];
  expect(after.read.filter((id) => before.left.includes(id)).length).toBeGreaterThan(0);
  const since = (await reasonsOf(third)).flatMap((reason) => /last read on (\S+)$/.exec(reason)?.[1] ?? []);
  const stillWaiting = after.left.filter((id) => before.left.includes(id)).length;
  expect(since.filter((date) => date === first)).toHaveLength(stillWaiting);
  expect(since.filter((date) => date === second)).toHaveLength(after.left.length - stillWaiting);
});

test('a rotating night spends its share of the month', () => {
  for (const date of [second, third]) expect(runs[date]!.requestsSpent).toBeLessThanOrEqual(12);
});

test('products that were not requested are neither absent nor changed', async () => {
  for (const date of [second, third]) {
    const [news] = await rowsOf<{ unasked: number; changed: number; gone: number }>(
      book.installation.db,
      `with night as (
         select run_id, observed_at from ops.run where run_id = $1
       ), asked as (
         select pc.product_key
         from night join ops.category_crawl c using (run_id)
         join catalog.category top on top.region = 'uk' and top.category_id = c.category_id
         join catalog.category_ancestor a on a.ancestor_key = top.category_key
         join catalog.product_category pc on pc.category_key = a.category_key
       ), written as (
         select product_key from night join catalog.availability_spell on valid_from = observed_at
         union all select product_key from night join catalog.price_spell on valid_from = observed_at
         union all select product_key from night join catalog.offer_spell on valid_from = observed_at
       )
       select
         (
           select count(*)::int
           from catalog.product p
           where p.product_key not in (select product_key from asked)) as unasked,
         (select count(*)::int from written where product_key not in (select product_key from asked)) as changed,
         (select count(*)::int from night join catalog.availability_spell h on h.valid_from = observed_at
           where h.availability in ('absent', 'delisted')) as gone`,
      [runs[date]!.runId],
    );
    expect(news!.unasked).toBeGreaterThan(50);
    expect(news).toMatchObject({ changed: 0, gone: 0 });
  }
});

test('a complete night afterwards is certified and determines the state of every product', async () => {
  expect(runs[last]!.verdict).not.toBe('partial');
  const [gone] = await rowsOf<{ products: number }>(
    book.installation.db,
    `select count(*)::int as products from catalog.availability_spell h join ops.run r on r.observed_at = h.valid_from
     where r.run_id = $1 and h.availability = 'absent'`,
    [runs[last]!.runId],
  );
  expect(gone!.products).toBeGreaterThan(0);
  expect(await brokenInvariants(book.installation.db)).toEqual([]);
});

test('replaying these nights changes nothing', async () => {
  const report = await book.replay({ from: first, to: last });
  expect(report.rows).toEqual([]);
  expect(report.nights.map(({ replayed }) => replayed)).toEqual(report.nights.map(({ live }) => live));
});
