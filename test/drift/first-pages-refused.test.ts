import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { ledgerConditions } from '../../src/followers/alerts/conditions.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { createSmallUpstream, type Shelves, type SmallUpstream } from '../support/small-upstream.ts';

/** Twelve departments of twelve shelves. */
const shelves: Shelves = Object.fromEntries(
  Array.from({ length: 144 }, (_, i) => {
    const [top, shelf] = [`Department ${Math.floor(i / 12)}`, `Shelf ${i % 12}`];
    return [`${top}|${shelf}`, [{ id: String(1_000 + i), breadcrumb: [top, shelf] }]];
  }),
);
const refusal = { status: 400, body: { success: false, message: 'Category is required', error: 'VALIDATION_ERROR' } };

const installation = useInstallation();
const cliHome = useCliHome();
let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({ shelves, pageSize: 24 });
});
afterAll(() => upstream?.close());

async function crawl(date: string, ...args: string[]) {
  const env = { DATABASE_URL: installation.databaseUrl, GROCERY_BASE_URL: upstream.url };
  const night = ['--now', `${date}T02:00:00Z`, 'crawl', '--region', 'uk', '--max-details', '0'];
  const { code, stderr } = await cliHome.run([...night, ...args], env);
  return { code, stderr, asked: upstream.log.length };
}

test('a run is abandoned after its first pages if all of them are refused', async () => {
  upstream.change({ instead: () => refusal });
  const { code, stderr, asked } = await crawl('2026-03-01');
  expect([code, asked]).toEqual([1, 8]);
  const line = stderr.split('\n').find((each) => each.startsWith('pricebook: '));
  expect(line).toMatch(/None of the first pages of uk 2026-03-01 .*Category is required.*given up.*despite-drift/);
  const runs = await rowsOf(installation.db, 'select status::text from ops.run');
  expect(runs).toEqual([{ status: 'abandoned' }]);
});

test('ALERT_URL is notified of such a night until a night is crawled', async () => {
  expect(await ledgerConditions(installation.db, new Date())).toEqual([
    {
      kind: 'night_given_up',
      subject: 'uk 2026-03-01',
      message: expect.stringContaining('none of its first pages could be read'),
      advice: expect.stringContaining('pricebook crawl --region uk --despite-drift'),
    },
  ]);
});

test('such a night is crawled on request, and the next night is crawled once pages are answered', async () => {
  upstream.change({ instead: () => refusal });
  expect((await crawl('2026-03-01', '--despite-drift')).asked).toBeGreaterThan(100);
  upstream.change({ instead: () => null });
  expect((await crawl('2026-03-02')).code).toBe(0);
  expect(await ledgerConditions(installation.db, new Date())).toEqual([]);
});

test('a few refused categories do not stop a run', async () => {
  upstream.change({ instead: ({ path }) => (/Department [0-6](\||$)/.test(path) ? refusal : null) });
  expect((await crawl('2026-03-03')).code).toBe(3);
  const runs = await rowsOf(installation.db, `select status::text from ops.run where snapshot_date = '2026-03-03'`);
  expect(runs).toEqual([{ status: 'published' }]);
});
