import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { disagreements } from '../support/truth.ts';

const book = useInstallation('PostgreSQL');
const { run } = useCliHome({ book });
let simulator: Simulator;
let env: Record<string, string>;

/** Settings that an administrator may choose and that change how values are written or read. */
const settings = {
  DateStyle: 'German, DMY',
  IntervalStyle: 'sql_standard',
  TimeZone: 'Australia/Sydney',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  standard_conforming_strings: 'off',
  default_transaction_isolation: 'repeatable read',
  search_path: '',
};

beforeAll(async () => {
  const name = new URL(book.databaseUrl).pathname.slice(1);
  for (const [setting, value] of Object.entries(settings)) {
    await book.db.query(`alter database "${name}" set ${setting} = '${value}'`);
  }
  simulator = await createSimulator({ items: 240, superDepartments: 4, date: '2026-03-01' });
  env = { GROCERY_BASE_URL: simulator.url };
});
afterAll(() => simulator.close());

const on = (date: string, ...args: string[]) => run(['--now', `${date}T03:00:00Z`, ...args], env);

test('nights are correct in a database with other formats for dates, numbers and bytes', async () => {
  for (const date of ['2026-03-01', '2026-03-02']) {
    simulator.change({ date });
    const { code, stderr } = await on(date, 'crawl', '--max-details', '20');
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('pricebook:')]);
  }
  for (const region of ['uk', 'ie'] as const) {
    expect(await disagreements(book.db, simulator, region, '2026-03-02')).toEqual([]);
  }
  const verified = await on('2026-03-02', 'certify', '--verify');
  expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('4 nights rebuilt, as certified')]);
  expect(await brokenInvariants(book.db)).toEqual([]);
  const figures = JSON.parse((await on('2026-03-02', 'index', '--region', 'uk', '--json')).stdout);
  expect(figures.rows.map((row: { period_start: string }) => row.period_start)).toContain('2026-03-02');
  await book.db.query('update catalog.product_current set price_minor = price_minor + 1');
  expect((await on('2026-03-02', 'certify', '--verify')).code).toBe(1);
});
