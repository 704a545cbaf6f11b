import { afterAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type FaultRule } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { useInstallation } from '../support/queue-backends.ts';

const installation = useInstallation();
const cliHome = useCliHome();
const simulator = await createSimulator({ items: 900, superDepartments: 10, date: '2026-03-01' });
afterAll(() => simulator.close());

/** `pricebook crawl` of a night, and how many requests it took. */
async function crawl(date: string, faults: readonly FaultRule[]) {
  simulator.change({ date, faults: [...faults] });
  const before = simulator.log().total;
  const env = { DATABASE_URL: installation.databaseUrl, GROCERY_BASE_URL: simulator.url };
  const done = await cliHome.run(['--now', `${date}T02:00:00Z`, 'crawl', '--region', 'uk', '--max-details', '0'], env);
  return { ...done, asked: simulator.log().total - before };
}

const statuses = () =>
  rowsOf<{ status: string; verdict: string | null }>(
    installation.db,
    'select status::text, verdict::text from ops.run order by run_id',
  );

const renamed: FaultRule[] = [{ kind: 'movedField', field: 'price.price', to: 'price.amount' }];

test('breaking drift in the first pages stops a run after at most 20 requests, with advice', async () => {
  const first = await crawl('2026-03-01', []);
  expect(first.code).toBe(0);
  expect(first.asked).toBeGreaterThan(40);

  const { code, asked, stderr } = await crawl('2026-03-02', renamed);
  expect(code).toBe(1);
  expect(asked).toBeLessThanOrEqual(20);
  const line = stderr.split('\n').find((each) => each.startsWith('pricebook: '));
  expect(line).toMatch(
    /uk 2026-03-02 .*rejected.*price.*given up.* pricebook -- drift`.* pricebook -- crawl --despite-drift`/,
  );
  expect(await statuses()).toEqual([
    { status: 'published', verdict: 'complete' },
    { status: 'abandoned', verdict: null },
  ]);
});
