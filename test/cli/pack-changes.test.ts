import { beforeAll, describe, expect, test } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { packChange } from '../../src/followers/derive/pack-change.ts';
import { at, fillFewNights } from '../db/few-nights.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { useHousehold } from './pricebook.ts';

const database = useDatabase();
const household = useHousehold();
const run = (...args: string[]) => household.run(['pack-changes', ...args], { DATABASE_URL: database.url });

const beans = { product_key: 50, valid_from: at.n2, title: 'Hillside Beans 450g' };
const rice = { product_key: 51, valid_from: at.n2, title: 'Hillside Rice 1.1kg' };

describe('pricebook pack-changes', () => {
  beforeAll(async () => {
    const { db } = database;
    await fillFewNights(db);
    for (const product of [beans, rice]) {
      const own = { region: 'uk', product_id: String(product.product_key), is_for_sale: true, first_seen_at: at.n1 };
      const listing_hash = '00000000-0000-0000-0000-000000000000';
      await insert(db, 'catalog.product', [{ ...product, ...own, listing_hash }]);
      const { product_key } = product;
      const old = product === beans ? 'Hillside Beans 500g' : 'Hillside Rice 1kg';
      const [oldUnit, newUnit] = product === beans ? ['4', '4.44'] : ['2', '1.82'];
      const common = { product_key, price_minor: 200, unit_of_measure: 'kg' };
      await insert(db, 'catalog.product_history', [{ product_key, valid_from: at.n1, valid_to: at.n2, title: old }]);
      await insert(db, 'catalog.price_spell', [
        { ...common, unit_price: oldUnit, valid_from: at.n1, valid_to: at.n2 },
        { ...common, unit_price: newUnit, valid_from: at.n2, valid_to: null },
      ]);
      await insert(db, 'catalog.availability_spell', [{ product_key, availability: 'available', valid_from: at.n1 }]);
    }
    for (const region of ['uk', 'ie'] as const) await deriveNights(db, region, { all: [packChange] });
  });

  test('pack-changes shows changed packs with the effect on the unit price, as JSON with exact amounts', async () => {
    const { code, stdout } = await run('--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version: 1,
      region: null,
      rows: [
        {
          ...{
            region: 'uk',
            product_id: '50',
            snapshot_date: '2026-03-02',
            old_size: '500',
            new_size: '450',
            unit: 'g',
          },
          ...{ size_change_pct: '-10.00', old_unit_price: '4.0000', new_unit_price: '4.4444', currency: 'GBP' },
          ...{
            unit_price_effect_pct: '11.11',
            route: 'in_place',
            evidence: 'title, unit price',
            former_product_id: null,
          },
        },
        {
          product_id: '51',
          old_size: '1000',
          new_size: '1100',
          size_change_pct: '10.00',
          unit_price_effect_pct: '-9.09',
        },
      ],
    });
  });

  test('pack-changes filters by direction, nights and region', async () => {
    const smaller = await run('--smaller', '--csv');
    expect(smaller.stdout.trim().split('\r\n')).toHaveLength(2);
    expect(smaller.stdout).toContain('Hillside Beans 450g');
    const early = await run('--until', '2026-03-01');
    expect(early.stdout).not.toContain('Hillside');
    expect(early.stderr).toBe('No matching pack change is confirmed by three certified nights in a row.\n');
    const told = JSON.parse((await run('--smaller', '--since', '2026-03-01', '--json')).stdout);
    expect(told).toMatchObject({ region: null, since: '2026-03-01', until: null, smaller: true });
    expect((await run('--region', 'ie', '--since', '2026-03-01', '--csv')).stdout.trim().split('\r\n')).toHaveLength(1);
    expect(await run('--since', 'yesterday')).toMatchObject({ code: 2, stdout: '' });
    expect(await run('--since', '2026-03-02', '--until', '2026-03-01')).toMatchObject({
      code: 2,
      stderr: 'pricebook: The dates are in the wrong order: since 2026-03-02, until 2026-03-01.\n',
    });
  });
});
