import { beforeAll, describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

const database = useDatabase();
const household = useHousehold();
const run = (...args: string[]) => household.run(['index', ...args], { DATABASE_URL: database.url });

beforeAll(async () => {
  await fillRandomBook(database.db, { seed: 4, first: '2026-03-02', runs: 12, products: 30 });
  await deriveNights(database.db, 'uk');
});

describe('index', () => {
  test('index shows price changes by night as a table', async () => {
    const { code, stdout } = await run('--region', 'uk');
    expect(code).toBe(0);
    const [heading, , first, second] = stdout.trim().split('\n');
    expect(heading!.split(/ {2,}/)).toEqual(
      'region,category,from,method,index,change,products compared,new,gone,all nights,final,thin'.split(','),
    );
    expect(first).toMatch(/^uk .*2026-03-02 +geks_jevons +100\.00 /);
    expect(second).toMatch(/geks_jevons +\d+\.\d\d +[+-]\d+\.\d\d % /);
  });

  test('index returns all methods of a category by week as exact strings', async () => {
    const { stdout } = await run(
      '--category',
      'c1',
      '--period',
      'week',
      '--method',
      'all',
      '--basis',
      'member',
      '--json',
    );
    const { version, category, rows } = JSON.parse(stdout);
    expect([version, category]).toEqual([1, 'c1']);
    expect([...new Set(rows.map((row: Record<string, unknown>) => row['method']))]).toEqual([
      'geks_jevons',
      'jevons_chained',
      'jevons_fixed',
      'mean_price',
    ]);
    const base = rows.filter((row: Record<string, unknown>) => row['period_start'] === row['base_start']);
    expect(base.map((row: Record<string, unknown>) => Number(row['value']))).toEqual([100, 100, 100, 100]);
    const csv = await run('--category', 'c1', '--period', 'month', '--csv');
    expect(csv.stdout.split('\n')[0]).toContain('category_path,period,period_start,method');
  });

  test('the first period shown has a change if an earlier period exists', async () => {
    const of = async (...args: string[]): Promise<Record<string, unknown>[]> =>
      JSON.parse((await run('--region', 'uk', '--method', 'all', '--json', ...args)).stdout).rows;
    const since = (rows: Record<string, unknown>[], date: string) => rows.filter((row) => row['period_start']! >= date);
    const all = await of();
    expect(all.filter((row) => row['change_pct'] === null).map((row) => row['period_start'])).toEqual(
      Array.from({ length: 4 }, () => '2026-03-02'),
    );
    expect(await of('--since', '2026-03-05')).toEqual(since(all, '2026-03-05'));
  });

  test('misspelt or unknown arguments are reported in one line', async () => {
    expect(await run('--method', 'laspeyres')).toMatchObject({ code: 2, stderr: expect.stringMatching(/geks_jevons/) });
    expect(await run('--category', 'Nowhere')).toMatchObject({ code: 1, stderr: expect.stringMatching(/"Nowhere"/) });
    expect(await run('--since', '2027-01-01')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/no such index yet/),
    });
  });
});
