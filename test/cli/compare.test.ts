import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { regionMatch } from '../../src/followers/derive/region-match.ts';
import { departmentOf, fillFromTruth } from '../support/book-from-truth.ts';
import { useDatabase } from '../support/database.ts';
import { useHousehold } from './pricebook.ts';

const database = useDatabase();
const household = useHousehold();
const folder = mkdtempSync(join(tmpdir(), 'pricebook-rates-'));
const run = (...args: string[]) => household.run(args, { DATABASE_URL: database.url });
let department = '';

beforeAll(async () => {
  const nights = await fillFromTruth(database.db, { items: 200, seed: 5, from: '2026-03-01', nights: 2 });
  for (const region of ['uk', 'ie'] as const) await deriveNights(database.db, region, { all: [regionMatch] });
  department = departmentOf([...nights[0]!.products.values()][0]!);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (what: 'load' | 'vat', text: string | Buffer) => {
  const file = join(folder, 'table.csv');
  writeFileSync(file, text);
  return run('rates', what, file);
};
const rates = async () =>
  (await database.db.query('select on_date, rate, source from marts.fx_rate order by on_date')).rows.map((row) =>
    Object.values(row).join(' '),
  );

describe('rates load', () => {
  test.each([
    ['no header', '2026-03-01,EUR/GBP,0.87', 'its first line must be date,pair,rate'],
    ['no rows', 'date,pair,rate\n', 'it has no rows'],
    ['a day that is none', 'date,pair,rate\n2026-02-30,EUR/GBP,0.87', 'line 2, date: must be a date'],
    ['a pair turned round', 'date,pair,rate\n2026-03-01,EUR/GBP,1.1494', 'line 2, rate: must lie between 0.4 and 1.02'],
    ['a field too few', 'date,pair,rate\n2026-03-01,EUR/GBP', 'line 2 has 2 fields instead of 3'],
    ['a date twice', 'date,pair,rate\n2026-03-01,EUR/GBP,0.87\n2026-03-01,EUR/GBP,0.88', 'line 3 repeats 2026-03-01'],
    ['letters of Latin-1', Buffer.from('date,pair,rate\n2026-03-01,Zürich,0.87', 'latin1'), 'CSV in UTF-8'],
    ['an open quote', 'date,pair,rate\n"2026-03-01,EUR/GBP,0.87', 'cannot be read as CSV'],
  ])('a file with %s is refused completely', async (_, text, said) => {
    const { code, stderr } = await load('load', Buffer.isBuffer(text) ? text : `${text}\n`);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await rates()).toEqual([]);
  });

  test('a file with one wrong line and a missing file are refused', async () => {
    const { code } = await load('load', 'date,pair,rate\n2026-03-01,EUR/GBP,0.87\n2026-03-02,EUR/GBP,8.7\n');
    expect(code).toBe(2);
    expect(await rates()).toEqual([]);
    expect(await run('rates', 'load', join(folder, 'missing.csv'))).toMatchObject({ code: 2 });
  });

  test('files written by spreadsheets are accepted, and loading a date again replaces its rate', async () => {
    const first = await load(
      'load',
      '\ufeffDate,Pair,Rate,Source\r\n2026-03-01,EUR/GBP,0.87,"ECB, noon"\r\n2026-02-27,EUR/GBP,0.86,\r\n',
    );
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('Exchange rates loaded into marts.fx_rate: 2.');
    await load('load', 'date,pair,rate\n2026-03-01,EUR/GBP,0.88\n');
    expect(await rates()).toEqual(['2026-02-27 0.8600000000 table.csv', '2026-03-01 0.8800000000 table.csv']);
  });
});

describe('rates vat', () => {
  test('rates vat loads a complete file or nothing', async () => {
    const wrong = await load(
      'vat',
      'region,department,rate_pct\nuk,Bakery,0\nfr,Bakery,5.5\nuk,bakery,20\nie,Bakery,135\n',
    );
    expect(wrong.code).toBe(2);
    for (const said of ['line 3, region', 'line 4 repeats uk bakery', 'line 5, rate_pct'])
      expect(wrong.stderr).toContain(said);
    expect(await load('vat', 'region,department,rate_pct\nuk,Bakery,0\nie,Bakery,13.5\n')).toMatchObject({ code: 0 });
    const { rows } = await database.db.query('select region, department, rate_pct from marts.vat_rate order by region');
    expect(rows.map((row) => Object.values(row).join(' '))).toEqual(['ie bakery 13.500', 'uk bakery 0.000']);
  });
});

describe('compare', () => {
  test('compare shows the widest gap first and explains the gap', async () => {
    const { code, stdout, stderr } = await run('compare');
    expect(code).toBe(0);
    const lines = stdout.split('\n');
    expect(lines[0]).toMatch(/^in the uk +known by +uk +ireland +ireland in pounds +ireland at the rate$/);
    const gaps = lines.flatMap((line) => /([+-]\d+\.\d\d) %$/.exec(line)?.[1] ?? []).map(Number);
    expect(gaps).toHaveLength(20);
    expect(gaps).toEqual([...gaps].sort((a, b) => b - a));
    expect(stderr).toContain('2026-03-02, taxes included');
    expect(stderr).toContain('--limit N shows more');
  });

  test('compare returns all matches of a tier or category as JSON and CSV', async () => {
    const all = JSON.parse((await run('compare', '--json')).stdout);
    const coded = JSON.parse((await run('compare', '--json', '--tier', '1')).stdout);
    expect(all).toMatchObject({ version: 1, date: '2026-03-02', tier: null });
    expect(coded.rows).toEqual(all.rows.filter(({ tier }: { tier: number }) => tier === 1));
    const { stdout } = await run('compare', '--csv', '--category', department);
    const records = stdout.trim().split('\r\n');
    expect(records[0]).toMatch(/^snapshot_date,uk_product_id,ie_product_id,tier,/);
    expect(records.length).toBeGreaterThan(1);
    expect(records.length - 1).toBeLessThan(all.rows.length);
  });

  test('compare names the dates without an exchange rate', async () => {
    await database.db.query('delete from ops.fx_rate');
    const { code, stdout, stderr } = await run('compare', '--date', '2026-03-01');
    expect(code).toBe(0);
    expect(stdout).toContain('no_rate');
    expect(stderr).toContain('`npm run --silent pricebook -- rates load FILE.csv`');
  });

  test('compare refuses an unknown tier or category', async () => {
    expect(await run('compare', '--tier', '4')).toMatchObject({ code: 2 });
    expect(await run('compare', '--category', 'Moon Rocks')).toMatchObject({ code: 1 });
  });
});
