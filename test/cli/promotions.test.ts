import { beforeAll, describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { writePromotionBook } from '../derive/promotion-book.ts';
import { renewCategoryAncestors } from '../support/category-ancestors.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { useCliHome } from './pricebook.ts';

const database = useDatabase();
const cliHome = useCliHome();
const run = (...args: string[]) => cliHome.run(['promotions', ...args], { DATABASE_URL: database.url });
const rows = async (...args: string[]): Promise<readonly Record<string, unknown>[]> =>
  JSON.parse((await run(...args, '--json')).stdout).rows;
const ids = async (...args: string[]) => (await rows(...args)).map((row) => row['product_id']);

beforeAll(async () => {
  const cases = [
    { prices: '1:200', promotions: ['35- £1.50 Clubcard Price'], prior: 'pass' },
    { prices: '1:200 34:250', promotions: ['36- £2.00 Clubcard Price'], prior: 'fail' },
    { prices: '20:200', promotions: ['37- £1.50 Clubcard Price'], prior: 'not_enough_nights' },
    { prices: '1:200', promotions: ['37- Any 3 for £4.50 Clubcard Price'], prior: 'deal on several' },
  ];
  const runs = Array.from({ length: 40 }, (_, n) => String(n + 1));
  await writePromotionBook(database.db, 'uk', cases, { runs, partial: [], firstKey: 1 });
  await insert(database.db, 'catalog.category', [
    {
      category_key: 1,
      region: 'uk',
      category_id: 'b;dairy',
      name: 'Dairy',
      label: 'shelf',
      depth: 0,
      path: 'Dairy',
      first_seen_at: '2026-01-01T03:00:00Z',
    },
  ]);
  await renewCategoryAncestors(database.db);
  await insert(database.db, 'catalog.extra_listing', [
    { product_key: 2, category_key: 1, valid_from: '2026-01-01T03:00:00Z' },
  ]);
  await deriveNights(database.db, 'uk');
});

describe('promotions', () => {
  test('promotions returns JSON or CSV with exact amounts', async () => {
    expect(await rows('--product', '1')).toMatchObject([{ loyalty_price: '1.50', announced_pct: '25.00' }]);
    expect((await run('--product', '1')).stdout).toMatch(/ real +25% off +25% off /);
    const amounts = { reduced_price: '2.00', reference_price: '2.50', prior_price: '2.00', real_pct: '0.00' };
    expect(await rows('--verdict', 'no-reduction')).toMatchObject([amounts]);
    const several = { shelf_price: '2.00', effective_quantity: 3, effective_price: '1.5000', announced_pct: null };
    expect(await rows('--kind', 'multibuy')).toMatchObject([several]);
    expect((await run('--csv', '--product', '1')).stdout.split('\r\n')).toHaveLength(3);
  });

  test('promotions filters by verdict, night, category and region', async () => {
    expect(await ids('--verdict', 'no-reduction')).toEqual(['2']);
    expect(await ids('--verdict', 'none')).toEqual(['4']);
    expect(await ids('--since', '2026-02-06')).toEqual(['3', '4']);
    expect(await ids('--until', '2026-02-04')).toEqual(['1']);
    expect(await ids('--category', 'dairy')).toEqual(['2']);
    expect(await ids('--region', 'ie')).toEqual([]);
    expect((await run('--category', 'dairy', '--verdict', 'real')).stderr).toContain('No matching promotion began');
    expect((await run('--category', 'nowhere')).stderr).toContain('nowhere');
  });
});
