import { beforeAll, describe, expect, test } from 'vitest';
import { at, fillFewNights, keys } from '../db/few-nights.ts';
import { renewCategoryAncestors } from '../support/category-ancestors.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { useCliHome } from './pricebook.ts';

const database = useDatabase();
const cliHome = useCliHome();
const run = (...args: string[]) => cliHome.run(args, { DATABASE_URL: database.url });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).stdout);

beforeAll(async () => {
  await insert(database.db, 'catalog.category', [category(1, 'dairy', 1, null), category(2, 'milk', 2, 1)]);
  await fillFewNights(database.db);
  await renewCategoryAncestors(database.db);
  await insert(database.db, 'catalog.extra_listing', [
    { product_key: keys.milk, category_key: 2, valid_from: at.n1, valid_to: at.n5 },
  ]);
  await database.db.query(`update catalog.product set gtin = '05000000000012' where product_key = $1`, [keys.milk]);
});

function category(categoryKey: number, name: string, depth: number, parentKey: number | null) {
  const path = parentKey === null ? name : `dairy > ${name}`;
  return {
    category_key: categoryKey,
    region: 'uk',
    category_id: `b;${name}`,
    name,
    label: 'shelf',
    depth,
    parent_key: parentKey,
    path,
    first_seen_at: at.n1,
  };
}

describe('product', () => {
  test('product prints details, price, history and source', async () => {
    const { code, stdout, stderr } = await run('product', 'uk', '100');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^uk 100 {2}Whole Milk 2L\n {2}brand {6}HILLSIDE\n {2}barcode {4}05000000000012\n/);
    expect(stdout).toContain('  price      £1.55\n');
    expect(stdout).toContain('  per unit   £0.775/litre\n');
    expect(stdout).toContain('  as of      2026-03-06, run 8, complete\n');
    expect(stdout).toContain('2026-03-02  2026-03-04    £1.60   £0.80/litre\n');
    expect(stdout).toContain('2026-03-01  available\n');
  });

  test('product returns the same as versioned JSON with the spells of the marts', async () => {
    const milk = await json('product', 'uk', '100');
    expect(milk).toMatchObject({
      version: 1,
      region: 'uk',
      product: { product_id: '100', price: '1.55', currency: 'GBP', snapshot_date: '2026-03-06', run_id: 8 },
    });
    const told = (spell: Record<string, unknown>) => `${spell['valid_from']} ${spell['valid_to']} ${spell['price']}`;
    expect(milk.prices.map(told)).toEqual([
      '2026-03-05 null 1.55',
      '2026-03-04 2026-03-05 1.60',
      '2026-03-02 2026-03-04 1.60',
      '2026-03-01 2026-03-02 1.45',
    ]);
    const gone = await json('product', 'uk', '102');
    expect(gone.product).toMatchObject({ availability: 'delisted', price: null });
    expect(gone.availabilities).toEqual([
      { valid_from: '2026-03-06', valid_to: null, availability: 'delisted' },
      { valid_from: '2026-03-05', valid_to: '2026-03-06', availability: 'absent' },
      { valid_from: '2026-03-01', valid_to: '2026-03-05', availability: 'available' },
    ]);
  });

  test('product shows the promotions in effect on the last night', async () => {
    const { promotions, product } = await json('product', 'uk', '104');
    expect(promotions).toEqual([expect.objectContaining({ description: 'Loyalty price 4', loyalty_price: '2.10' })]);
    expect(product.loyalty_price).toBe('2.10');
    // It ends with the midnight of the 20th.
    expect((await run('product', 'uk', '104')).stdout).toContain('Loyalty price 4 (last day 2026-03-19)\n');
  });

  test('product exports price spells as CSV', async () => {
    const { stdout } = await run('product', 'uk', '100', '--csv');
    expect(stdout).toMatch(/\r\nWhole Milk 2L,2026-03-01,2026-03-02,1.45,0.7250,litre,,GBP,uk,100,\d+\r\n/);
    expect(stdout.trim().split('\r\n')).toHaveLength(5);
  });

  test.each([
    ['its address', 'https://shop.example/groceries/en-GB/products/100'],
    ['its barcode', '5000000000012'],
    ['words of its title', 'milk whole'],
  ])('a product is found by %s', async (_, wanted) => {
    expect(await json('product', 'uk', wanted)).toMatchObject({ product: { product_id: '100' } });
  });

  test('several matching products are listed, currently listed ones first', async () => {
    const { code, stdout, stderr } = await run('product', 'uk', '2');
    expect(code).toBe(0);
    expect(
      stdout
        .split('\n')
        .slice(2, -1)
        .map((line) => line.split(/ {2,}/)[0]),
    ).toEqual(['104', '100']);
    expect(stderr).toMatch(/^2 products have these words in title or brand\. /);
    expect(await json('product', 'uk', '2')).toMatchObject({ version: 1, product: null, rows: { length: 2 } });
  });

  test('no match is one line and exit code 1, and SQL wildcards are plain characters', async () => {
    for (const words of ['zebra', '%', '_', '999', 'https://shop.example/groceries/en-GB/products/2']) {
      const { code, stdout, stderr } = await run('product', 'uk', words);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toBe(`pricebook: No product of uk matches "${words}".\n`);
    }
  });
});

describe('changes', () => {
  const told = async (...args: string[]) =>
    ((await json('changes', ...args)).rows as Record<string, string>[]).map(
      (row) => `${row['snapshot_date']} ${row['product_id']} ${row['change_pct']}`,
    );
  const all = ['2026-03-05 100 -3.13', '2026-03-02 100 10.34'];

  test('changes filters by nights, product and percentage', async () => {
    expect(await told()).toEqual(all);
    expect(await told('--since', '2026-03-03')).toEqual(all.slice(0, 1));
    expect(await told('--until', '2026-03-04')).toEqual(all.slice(1));
    expect(await told('--since', '2026-03-02', '--until', '2026-03-05')).toEqual(all);
    expect(await told('--product', 'https://shop.example/groceries/en-GB/products/100')).toEqual(all);
    expect(await told('--min-pct', '3.13')).toEqual(all);
    expect(await told('--min-pct', '3.14')).toEqual(all.slice(1));
    expect(await told('--product', '100')).toEqual(all);
    expect(await told('--product', '101')).toEqual([]);
  });

  test('changes filters by a category at that time and its descendants, by name, path or id', async () => {
    // The milk left its shelf on the fifth night.
    for (const name of ['Dairy', 'milk', 'dairy > milk', 'b;milk'])
      expect(await told('--category', name)).toEqual(all.slice(1));
  });

  test('a category name with invisible trailing spaces is found without them, an exact match first', async () => {
    await insert(database.db, 'catalog.category', [
      { ...category(3, 'Party Food  ', 2, 1), path: 'dairy > Party Food' },
      { ...category(4, 'Pies ', 2, 1), path: 'dairy > Pies' },
      category(5, 'Pies', 1, null),
    ]);
    await renewCategoryAncestors(database.db);
    const membership = { product_key: keys.milk };
    await insert(database.db, 'catalog.extra_listing', [
      { ...membership, category_key: 3, valid_from: at.n1, valid_to: at.n5 },
      { ...membership, category_key: 4, valid_from: at.n1, valid_to: at.n5 },
      { ...membership, category_key: 5, valid_from: at.n5, valid_to: null },
    ]);
    for (const name of ['party food', 'Party Food  ', 'DAIRY >  Party Food', 'Pies ', 'dairy > pies'])
      expect(await told('--category', name)).toEqual(all.slice(1));
    expect(await told('--category', 'Pies')).toEqual(all.slice(0, 1));
  });
});

describe('--product', () => {
  test.each([['asof', '--region', 'uk'], ['changes'], ['promotions', '--region', 'uk']])(
    '%s reports an unknown product and refuses an address of the other region',
    async (...verb) => {
      const unknown = await run(...verb, '--product', '5000000000012', '--json');
      expect([unknown.code, unknown.stdout]).toEqual([1, '']);
      expect(unknown.stderr).toMatch(/^pricebook: There is no product.* with the id 5000000000012\. .* product uk …/m);
      if (verb.length === 1) return;
      const irish = await run(...verb, '--product', 'https://shop.example/groceries/en-IE/products/100');
      expect([irish.code, irish.stderr]).toEqual([2, expect.stringMatching(/is a product of ie, not of uk\.\n$/)]);
    },
  );
});
