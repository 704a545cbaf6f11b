import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { departmentOf, fillFromTruth } from '../support/book-from-truth.ts';
import { useDatabase } from '../support/database.ts';
import { useFolder } from '../support/folder.ts';
import { useCliHome } from './pricebook.ts';

const database = useDatabase();
const cliHome = useCliHome();
const folder = useFolder('rates');
const run = (...args: string[]) => cliHome.run(args, { DATABASE_URL: database.url });
let department = '';

beforeAll(async () => {
  const nights = await fillFromTruth(database.db, { items: 200, seed: 5, from: '2026-03-01', nights: 2 });
  for (const region of ['uk', 'ie'] as const) await deriveNights(database.db, region);
  department = departmentOf([...nights[0]!.products.values()][0]!);
});

const load = (text: string | Buffer) => {
  const file = join(folder, 'table.csv');
  writeFileSync(file, text);
  return run('rates', 'load', file);
};
const rates = async () =>
  (await database.db.query('select on_date, rate, source from marts.fx_rate order by on_date')).rows.map((row) =>
    Object.values(row).join(' '),
  );

describe('rates load', () => {
  test.each([
    ['no header', '2026-03-01,EUR/GBP,0.87', 'its first line must be date,pair,rate'],
    ['a day that is none', 'date,pair,rate\n2026-02-30,EUR/GBP,0.87', 'line 2, date: must be a date'],
    ['one wrong line', 'date,pair,rate\n2026-03-01,EUR/GBP,0.87\n2026-03-02,EUR/GBP,1.15', 'line 3, rate: must lie'],
    ['a date twice', 'date,pair,rate\n2026-03-01,EUR/GBP,0.87\n2026-03-01,EUR/GBP,0.88', 'line 3 repeats 2026-03-01'],
    ['letters of Latin-1', Buffer.from('date,pair,rate\n2026-03-01,Zürich,0.87', 'latin1'), 'CSV in UTF-8'],
  ])('a file with %s is refused completely', async (_, text, said) => {
    const { code, stderr } = await load(Buffer.isBuffer(text) ? text : `${text}\n`);
    expect(code).toBe(2);
    expect(stderr).toContain(said);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(await rates()).toEqual([]);
  });

  test('files written by spreadsheets are accepted, and loading a date again replaces its rate', async () => {
    const first = await load(
      '\ufeffDate,Pair,Rate,Source\r\n2026-03-01,EUR/GBP,0.87,"ECB, noon"\r\n2026-02-27,EUR/GBP,0.86,\r\n',
    );
    expect(first).toMatchObject({ code: 0, stdout: '' });
    expect(first.stderr).toContain('Exchange rates loaded into marts.fx_rate: 2.');
    await load('date,pair,rate\n2026-03-01,EUR/GBP,0.88\n');
    expect(await rates()).toEqual(['2026-02-27 0.8600000000 table.csv', '2026-03-01 0.8800000000 table.csv']);
  });
});

describe('compare', () => {
  test('compare returns all matches of a kind or category as JSON and CSV', async () => {
    const all = JSON.parse((await run('compare', '--json', '--match', 'all')).stdout);
    const coded = JSON.parse((await run('compare', '--json', '--match', 'barcode')).stdout);
    expect(all).toMatchObject({ version: 1, date: '2026-03-02', match: 'all' });
    expect(coded.rows).toEqual(all.rows.filter(({ tier }: { tier: number }) => tier === 1));
    // Without the zeros that fill the column of marts.fx_rate.
    expect(new Set(all.rows.map(({ rate }: { rate: string }) => rate))).toEqual(new Set(['0.88']));
    const sure = JSON.parse((await run('compare', '--json')).stdout);
    expect(sure.rows).toEqual(all.rows.filter(({ tier }: { tier: number }) => tier < 3));
    const { stdout } = await run('compare', '--csv', '--match', 'all', '--category', department);
    const records = stdout.trim().split('\r\n');
    expect(records[0]).toMatch(/^snapshot_date,uk_product_id,ie_product_id,tier,/);
    expect(records.length).toBeGreaterThan(1);
    expect(records.length - 1).toBeLessThan(all.rows.length);
  });

  test('compare says how much is matched, and how surely', async () => {
    const { stderr } = await run('compare');
    const { rows } = await database.db.query(`select * from marts.region_parity('2026-03-02')`);
    const { uk_matched_pct: uk, ie_matched_pct: ie } = rows[0]!;
    expect(stderr).toContain(`Matched: ${uk}% of what the UK lists, ${ie}% in Ireland.`);
    expect(stderr).toMatch(/^Of \d+ pairs with both prices, \S+ are dearer in Ireland and \S+ cheaper; /m);
    expect(stderr).toMatch(/At least 99\.\d\d% of matches are right\./);
    const { stderr: ofSome } = await run('compare', '--category', department);
    expect(ofSome).not.toContain('Matched');
  });

  test('compare names the dates without an exchange rate', async () => {
    await database.db.query('delete from ops.fx_rate');
    const { code, stdout, stderr } = await run('compare', '--date', '2026-03-01');
    expect(code).toBe(0);
    expect(stdout).toContain('no rate');
    expect(stderr).toContain('`npm run --silent pricebook -- rates load FILE.csv`');
  });
});

test('columns of one heading have cells of their own, and numbers no needless digits', async () => {
  expect((await run('contributions', '--limit', '1')).stdout).toMatch(
    /\nEverything +\d\.\d\d +[-+]?\d\.\d\d% +-?\d\.\d\d\nEmpty here: 7 nights; /,
  );
  await database.db.query(`insert into derived.pack_change (region, product_key, snapshot_date, confirmed_on,
    changed_at, route, old_size, new_size, measure, evidence, score) values ('uk', 1, '2026-03-02', '2026-03-02',
    '2026-03-02T02:00:00Z', 'in_place', 2400, 45.5, 'g', 'title', 0.9)`);
  expect((await run('pack-changes')).stdout).toMatch(/ 2,400 +45\.5 +g +-98\.1% .* 0\.9\n/);
});

test('an answer without rows says that there is no such night, and a mistyped category what is like it', async () => {
  const told = async (...args: string[]) => (await run(...args)).stderr;
  expect(await told('movers', '--until', '2020-01-01')).toMatch(/^There is no night of uk up to 2020-01-01: the first/);
  expect(await told('changes', '--since', '2099-01-01')).toMatch(/ no night of uk or ie from 2099-01-01 on: /);
  expect(await told('changes', '--since', '2026-03-01', '--min-pct', '999')).toMatch(/^No price has changed/);
  for (const typed of [department.slice(1), department.replace(/(?<=^..)./, ''), `${department}s`])
    expect(await told('find', '--category', typed)).toContain(`Did you mean one of these: "${department}"`);
});
