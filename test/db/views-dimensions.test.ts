import { beforeAll, describe, expect, it } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { useDatabase } from '../support/database.ts';
import { derive } from '../support/derive.ts';
import { insert } from '../support/insert.ts';
import { at, fillFewNights, keys } from './few-nights.ts';

describe('marts of things', () => {
  const database = useDatabase();
  const ask = async (text: string) => (await database.db.query(text)).rows;

  beforeAll(async () => {
    await fillFewNights(database.db);
    // 1 Drinks > 2 Hot > 3 Tea, 4 Hot > Herbal, and 5 Offers; 6 is a shelf only breadcrumbs know
    await insert(database.db, 'catalog.category', [
      category(1, 'b;1', ' Drinks', 0, null, ' Drinks'),
      category(2, 'b;2', 'Hot', 1, 1, ' Drinks > Hot'),
      category(3, 'b;3', 'Tea', 2, 2, ' Drinks > Hot > Tea'),
      category(4, 'b;4', 'Herbal', 2, 2, ' Drinks > Hot > Herbal'),
      { ...category(5, 'b;5', 'Offers', 0, null, 'Offers'), last_seen_at: at.n6 },
      { ...category(6, 'b;6', 'b;6', 0, null, 'b;6'), label: 'not in taxonomy' },
    ]);
    await derive(database.db);
  });

  it('dim_category has parents by both keys, untrimmed names and removal dates', async () => {
    expect(await ask('select * from marts.dim_category order by category_key')).toMatchObject([
      { region: 'uk', category_id: 'b;1', category_key: 1, name: ' Drinks', depth: 0, parent_id: null, gone_at: null },
      { category_id: 'b;2', parent_id: 'b;1', parent_key: 1, path: ' Drinks > Hot' },
      { category_id: 'b;3', parent_id: 'b;2', parent_key: 2, depth: 2 },
      { category_id: 'b;4', parent_id: 'b;2', parent_key: 2, depth: 2 },
      { category_id: 'b;5', gone_at: new Date(at.n6) },
      { category_id: 'b;6', label: 'not in taxonomy', parent_id: null },
    ]);
  });

  it('dim_product has every product once with current details and state', async () => {
    await insert(database.db, 'catalog.product_detail', [
      { ...detail(keys.tea, at.n1, at.n4), description: 'Old words', allergens: [] },
      {
        ...detail(keys.tea, at.n4, null),
        description: 'New words',
        ingredients: 'Tea, Milk',
        allergens: ['Milk', 'Soya'],
        pack_size: '40.000',
        pack_measure: 'g',
        pack_count: 20,
      },
    ]);
    await deriveNights(database.db, 'uk');
    const rows = await ask('select * from marts.dim_product order by product_key');
    expect(rows.map(({ product_key, availability }) => [product_key, availability])).toEqual([
      [keys.milk, 'available'],
      [keys.bread, 'unavailable'],
      [keys.gone, 'delisted'],
      [keys.late, 'available'],
      [keys.tea, 'available'],
      [keys.irishMilk, 'available'],
    ]);
    expect(rows[0]).toMatchObject({ title: 'Whole Milk 2L', brand: 'HILLSIDE', current_since: new Date(at.n5) });
    expect(rows[0]).toMatchObject({
      pack_size: '2000.000',
      pack_measure: 'ml',
      pack_count: null,
      pack_source: 'title',
    });
    expect(rows[0]).toMatchObject({ first_seen_at: new Date(at.n1), details_since: null, allergens: null });
    expect(rows[4]).toMatchObject({
      description: 'New words',
      ingredients: 'Tea, Milk',
      allergens: 'Milk, Soya',
      pack_size: '40.000',
      pack_measure: 'g',
      pack_count: 20,
      pack_source: 'details',
      details_since: new Date(at.n4),
    });
  });

  describe('bridge_product_category', () => {
    const spells = async (productKey: number) =>
      (
        await ask(`select category_id, depth, is_direct, valid_from, valid_to from marts.bridge_product_category
          where product_key = ${productKey} order by category_id, valid_from`)
      ).map(({ category_id, depth, is_direct, valid_from, valid_to }) => [
        category_id,
        depth,
        is_direct,
        nameOf(valid_from),
        nameOf(valid_to),
      ]);

    beforeAll(() =>
      insert(database.db, 'catalog.extra_listing', [
        // From one shelf to the next without a gap, and beside both in Offers for a while.
        membership(keys.tea, 3, at.n1, at.n4),
        membership(keys.tea, 4, at.n4, null),
        membership(keys.tea, 5, at.n2, at.n5),
        // On two shelves of one branch at once, and directly in the department.
        membership(keys.milk, 3, at.n1, null),
        membership(keys.milk, 4, at.n2, null),
        membership(keys.milk, 2, at.n3, at.n4),
        // Left and came back.
        membership(keys.bread, 3, at.n1, at.n2),
        membership(keys.bread, 3, at.n5, null),
        membership(keys.late, 6, at.n3, null),
        // First on the department itself, later only below it.
        membership(keys.gone, 2, at.n1, at.n2),
        membership(keys.gone, 3, at.n5, null),
      ]),
    );

    it('the bridge has each category and its ancestors once at a time, direct or inherited', async () => {
      expect(await spells(keys.tea)).toEqual([
        ['b;1', 0, false, 'n1', null],
        ['b;2', 1, false, 'n1', null],
        ['b;3', 2, true, 'n1', 'n4'],
        ['b;4', 2, true, 'n4', null],
        ['b;5', 0, true, 'n2', 'n5'],
      ]);
      expect(await spells(keys.milk)).toEqual([
        ['b;1', 0, false, 'n1', null],
        ['b;2', 1, true, 'n1', null],
        ['b;3', 2, true, 'n1', null],
        ['b;4', 2, true, 'n2', null],
      ]);
      expect(await spells(keys.bread)).toEqual([
        ['b;1', 0, false, 'n1', 'n2'],
        ['b;1', 0, false, 'n5', null],
        ['b;2', 1, false, 'n1', 'n2'],
        ['b;2', 1, false, 'n5', null],
        ['b;3', 2, true, 'n1', 'n2'],
        ['b;3', 2, true, 'n5', null],
      ]);
      expect((await spells(keys.gone)).filter(([categoryId]) => categoryId === 'b;2')).toEqual([
        ['b;2', 1, true, 'n1', 'n2'],
        ['b;2', 1, false, 'n5', null],
      ]);
      // On a shelf outside the taxonomy.
      expect(await spells(keys.late)).toEqual([['b;6', 0, true, 'n3', null]]);
    });

    it('the department of a product is that of its own breadcrumb, not of a category that only lists it', async () => {
      const department = async () => {
        const rows = await ask(`select department_id from marts.dim_product where product_key = ${keys.tea}`);
        return rows[0]!['department_id'];
      };
      const change = (set: string) =>
        database.db.query(`update catalog.product_current set ${set} where product_key = $1`, [keys.tea]);
      // Other categories list it.
      expect(await department()).toBeNull();
      await change('leaf_key = 4');
      expect(await department()).toBe('b;1');
      await change(`availability = 'delisted'`);
      expect(await department()).toBe('b;1');
      await change(`leaf_key = null, availability = 'available'`);
    });
  });
});

function nameOf(instant: Date | null): string | null {
  if (instant === null) return null;
  return Object.entries(at).find(([, text]) => new Date(text).getTime() === instant.getTime())?.[0] ?? '?';
}

function category(key: number, id: string, name: string, depth: number, parentKey: number | null, path: string) {
  return {
    category_key: key,
    region: 'uk',
    category_id: id,
    name,
    label: depth === 0 ? 'superDepartment' : 'department',
    depth,
    parent_key: parentKey,
    path,
    first_seen_at: at.n1,
  };
}

function detail(productKey: number, from: string, to: string | null) {
  return {
    product_key: productKey,
    valid_from: from,
    valid_to: to,
    detail_hash: '00000000-0000-0000-0000-000000000000',
  };
}

function membership(productKey: number, categoryKey: number, from: string, to: string | null) {
  return { product_key: productKey, category_key: categoryKey, valid_from: from, valid_to: to };
}
