import { beforeAll, expect, test } from 'vitest';
import type { Run } from '../../src/crawl/run/runs.ts';
import { camelRows, rowsOf } from '../../src/db/rows.ts';
import { readCertificate } from '../../src/questions/certificates.ts';
import { useReplayedBook } from '../replay/replayed-book.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { openDirectBook } from '../trust/direct-book.ts';

/** A whole night, two on which the quota does not reach for the pages, and a whole one again. */
const book = useReplayedBook({ items: 200, superDepartments: 6, dailyChange: 0.02, dailyTurnover: 0.03 }, ['uk']);
const [first, second, third, last] = ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'] as const;
const runs: Record<string, Run> = {};
const share = 9;

beforeAll(async () => {
  await crawl(first);
  // Requests of the first night, and nine for each of the 30 remaining nights.
  const spent = runs[first]!.requestsSpent!;
  const env = { GROCERY_MONTHLY_QUOTA: String(spent + share * 30) };
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

const reasonsOf = async (date: string) =>
  (await readCertificate(book.installation.db, { runId: runs[date]!.runId }))!.reasons;

/** Top-level categories of which a night read every page, the others, and those of one page. */
async function categoriesOf(date: string): Promise<{ read: string[]; left: string[]; small: string[] }> {
  const rows = await camelRows<{ path: string; isRead: boolean; pages: number }>(
    book.installation.db,
    `select c.category_id as path, c.pages_planned as pages, not exists (
       select from ops.category_page p
       where p.run_id = c.run_id and p.category_no = c.category_no and p.status <> 'done') as is_read
     from ops.category_crawl c where c.run_id = $1 order by 1`,
    [runs[date]!.runId],
  );
  const pathsOf = (isRead: boolean) => rows.filter((row) => row.isRead === isRead).map(({ path }) => path);
  const small = rows.filter(({ pages }) => pages === 1).map(({ path }) => path);
  return { read: pathsOf(true), left: pathsOf(false), small };
}

async function goneOn(date: string): Promise<number> {
  const [gone] = await rowsOf<{ products: number }>(
    book.installation.db,
    `select count(*)::int as products from catalog.availability_spell h join ops.run r on r.observed_at = h.valid_from
     where r.run_id = $1 and h.availability in ('absent', 'delisted')`,
    [runs[date]!.runId],
  );
  return gone!.products;
}

test('with too small a quota a night reads some categories whole, and its certificate names the others', async () => {
  expect(runs[first]!.verdict).toBe('complete');
  expect(runs[second]).toMatchObject({ status: 'published', verdict: 'partial' });
  const { read, left } = await categoriesOf(second);
  expect([read.length > 0, left.length > 0]).toEqual([true, true]);
  const unrequested = (await reasonsOf(second)).filter((reason) => /\d+ of \d+ pages not requested/.test(reason));
  expect(unrequested).toHaveLength(left.length);
});

test('categories unread for longest are read next', async () => {
  const [before, after] = [await categoriesOf(second), await categoriesOf(third)];
  // The first page of every category is requested, so that a small one is read whole in any night.
  const both = after.read.filter((path) => before.read.includes(path) && !after.small.includes(path));
  expect(both).toEqual([]);
  expect(after.read.some((path) => before.left.includes(path))).toBe(true);
});

test('a night sends no more than its share of the month and then reports no product as gone', async () => {
  for (const date of [second, third]) {
    // And the request for the taxonomy.
    expect(runs[date]!.requestsSpent).toBeLessThanOrEqual(share + 1);
    expect(await goneOn(date)).toBe(0);
  }
});

test('a complete night afterwards is certified and determines the state of every product', async () => {
  expect(runs[last]!.verdict).not.toBe('partial');
  expect(await goneOn(last)).toBeGreaterThan(0);
  expect(await brokenInvariants(book.installation.db)).toEqual([]);
});

test('replaying these nights changes nothing', async () => {
  const report = await book.replay({ from: first, to: last });
  expect(report.differences).toEqual([]);
  expect(report.nights.map(({ replayed }) => replayed)).toEqual(report.nights.map(({ live }) => live));
});
