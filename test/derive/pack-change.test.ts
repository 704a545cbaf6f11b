import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { judgeRelaunch, relaunchDays, type Succession } from '../../src/followers/derive/judge-relaunch.ts';
import { packChange } from '../../src/followers/derive/pack-change.ts';
import { useDatabase } from '../support/database.ts';
import { insert, runRow } from '../support/insert.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';

interface Pack {
  readonly title: string;
  readonly gtin?: string;
  /** Grams in its details. */
  readonly listed?: number;
  readonly price?: number | null;
  readonly unitPrice?: number;
  readonly unit?: string;
}

const whole: Pack = { title: 'Beans 500g' };
const less: Pack = { title: 'Beans 450g', unitPrice: 4.44 };
const teas = { unit: 'each', unitPrice: 0.03 };
const newGtin = '05060000000024';

/** The pack until the second night, the pack since, and the expected change; null: none. */
const cases: readonly (readonly [why: string, before: Pack, after: Pack, said: string | null])[] = [
  ['title and unit price say so', whole, less, 'in_place 500 450 title, unit price 0.95'],
  [
    'title and details say so',
    { ...whole, listed: 500, price: null },
    { ...less, listed: 450, price: null },
    'in_place 500 450 title, details 0.95',
  ],
  [
    'details and unit price say so',
    { title: 'Beans', listed: 500 },
    { ...less, title: 'Beans', listed: 450 },
    'in_place 500 450 details, unit price 0.95',
  ],
  [
    'all of them say so',
    { ...whole, listed: 500 },
    { ...less, listed: 450 },
    'in_place 500 450 title, details, unit price 1.00',
  ],
  [
    'the title says so and the barcode is new',
    whole,
    { ...less, gtin: newGtin, price: null },
    'new_gtin 500 450 title, gtin 0.90',
  ],
  ['all but the details say so', whole, { ...less, gtin: newGtin }, 'new_gtin 500 450 title, unit price, gtin 1.00'],
  [
    'its unit price is that of a drained weight',
    { ...whole, unit: 'kg DR.WT' },
    { ...less, unit: 'kg DR.WT' },
    'in_place 500 450 title, unit price 0.95',
  ],
  ['the unit price denies what a new barcode says', whole, { ...whole, title: 'Beans 450g', gtin: newGtin }, null],
  ['the title alone says so', whole, { title: 'Beans 450g', price: null }, null],
  ['the unit price still is that of the old content', whole, { title: 'Beans 450g' }, null],
  ['the unit price alone moves', whole, { ...whole, unitPrice: 4.44 }, null],
  ['the title is worded otherwise', whole, { title: 'New Beans 0.5 kg' }, null],
  ['the price moves and the unit price with it', whole, { ...whole, price: 220, unitPrice: 4.4 }, null],
  ['the pieces become known', whole, { title: 'Beans 5x100g' }, null],
  ['the measure is another', whole, { ...less, title: 'Beans 450ml', unit: 'litre' }, null],
  ['unit prices are too coarse to tell', { ...teas, title: 'Tea 80s' }, { ...teas, title: 'Tea 76s' }, null],
  ['it is weighed', { ...whole, price: 400 }, { ...less, price: 444 }, null],
];

describe('a pack whose content changes on the third of five nights', () => {
  const database = useDatabase();
  const nights = [1, 2, 3, 4, 5].map((day) => `2026-03-0${day}T02:00:00Z`);
  const [first, , third] = nights as [string, string, string];

  beforeAll(async () => {
    const { db } = database;
    await makeSpellsWritable(db);
    for (const at of nights) await insert(db, 'ops.run', [runRow(at)]);
    for (const [n, [, before, after]] of cases.entries()) await write(n + 1, before, after);
    await deriveNights(db, 'uk', { all: [packChange] });
  });

  async function write(key: number, before: Pack, after: Pack): Promise<void> {
    const { db } = database;
    await db.query(
      `insert into catalog.product (product_key, region, product_id, title, gtin, is_for_sale, first_seen_at,
         valid_from, entry_hash)
       overriding system value values ($1::int, 'uk', $1::int::text, $2, $3, true, $4, $5, gen_random_uuid())`,
      [key, after.title, after.gtin ?? '05060000000017', first, third],
    );
    const spells = [
      { pack: before, valid_from: first, valid_to: third },
      { pack: after, valid_from: third, valid_to: null },
    ] as const;
    const { title, gtin = '05060000000017' } = before;
    await insert(db, 'catalog.product_history', [
      { product_key: key, valid_from: first, valid_to: third, title, gtin, image_url: null },
    ]);
    await insert(db, 'catalog.availability_spell', [
      { product_key: key, availability: 'available', valid_from: first, valid_to: null },
    ]);
    for (const { pack, ...span } of spells) {
      const { price = 200, unitPrice = 4, unit = 'kg', listed } = pack;
      await insert(db, 'catalog.price_spell', [
        { product_key: key, price_minor: price, unit_price: price && unitPrice, unit_of_measure: unit, ...span },
      ]);
      if (listed === undefined) continue;
      await insert(db, 'catalog.product_detail', [
        {
          product_key: key,
          ...span,
          detail_hash: '00000000-0000-0000-0000-000000000000',
          allergens: [],
          pack_size: listed,
          pack_measure: 'g',
        },
      ]);
    }
  }

  it.each(cases.map(([why, , , said], n) => [why, n, said] as const))(
    'a pack change is decided correctly when %s',
    async (_, n, said) => {
      const rows = await rowsOf<{ said: string }>(
        database.db,
        `select concat_ws(' ', route, old_size, new_size, evidence, score) as said
         from derived.pack_change
         where product_key = $1`,
        [n + 1],
      );
      expect(rows.map((row) => row.said)).toEqual(said === null ? [] : [said]);
    },
  );
});

describe('a pack that changes while its product has no price', () => {
  const database = useDatabase();

  it('a pack is examined again, and its change reported, once the product has a price', async () => {
    const { db } = database;
    await makeSpellsWritable(db);
    const nights = [1, 2, 3, 4, 5, 6, 7, 8].map((day) => `2026-03-0${day}T02:00:00Z`);
    const [first, , third, , , sixth] = nights as [string, string, string, string, string, string];
    for (const at of nights) await insert(db, 'ops.run', [runRow(at)]);
    await db.query(
      `insert into catalog.product (product_key, region, product_id, title, is_for_sale, first_seen_at, valid_from,
         entry_hash)
       overriding system value values (1, 'uk', '1', 'Beans 450g', true, $1, $2, gen_random_uuid())`,
      [first, third],
    );
    const former = { product_key: 1, valid_from: first, valid_to: third, title: 'Beans 500g' };
    await insert(db, 'catalog.product_history', [former]);
    await insert(db, 'catalog.availability_spell', [
      { product_key: 1, availability: 'available', valid_from: first, valid_to: null },
    ]);
    await insert(db, 'catalog.price_spell', [
      { product_key: 1, price_minor: 200, unit_price: 4, unit_of_measure: 'kg', valid_from: first, valid_to: third },
      { product_key: 1, price_minor: null, valid_from: third, valid_to: sixth },
      { product_key: 1, price_minor: 200, unit_price: 4.44, unit_of_measure: 'kg', valid_from: sixth, valid_to: null },
    ]);
    await deriveNights(db, 'uk', { all: [packChange] });
    const found = await rowsOf(
      db,
      `select snapshot_date, old_size::int, new_size::int, old_price_minor, new_price_minor, evidence
       from derived.pack_change`,
    );
    expect(found).toEqual([
      {
        ...{ snapshot_date: '2026-03-06', old_size: 500, new_size: 450, old_price_minor: 200, new_price_minor: 200 },
        evidence: 'title, unit price',
      },
    ]);
  });
});

describe('a product takes the place of another', () => {
  const succession: Succession = {
    formerTitle: 'Northfold Classic Beans 500g',
    title: 'Northfold Classic Beans 450g',
    formerGtin: '05060000000017',
    gtin: '05060000000024',
    isSameTpnb: false,
    days: 0,
  };

  it('a relaunch is found if the name without size is the same, with a higher score the closer the dates', () => {
    expect(judgeRelaunch(succession)).toEqual({
      ...{ measure: 'g', oldSize: '500', newSize: '450', evidence: ['title', 'gtin'], score: 1 },
    });
    expect(judgeRelaunch({ ...succession, days: relaunchDays })?.score).toBe(0.8);
    expect(judgeRelaunch({ ...succession, title: 'Northfold New Classic Beans 450g' })?.score).toBe(0.86);
    expect(judgeRelaunch({ ...succession, days: relaunchDays, isSameTpnb: true })?.score).toBe(1);
  });

  it.each([
    ['the name is another', { title: 'Northfold Smoky Peas 450g' }],
    ['the size is the same', { title: 'Northfold Classic Beans 0.5kg' }],
    ['the barcode is the same', { gtin: '05060000000017' }],
    ['it holds half as much: another pack on the same shelf', { title: 'Northfold Classic Beans 250g' }],
    ['it names no size', { title: 'Northfold Classic Beans' }],
    ['it is measured otherwise', { title: 'Northfold Classic Beans 450ml' }],
  ])('no relaunch is found when %s', (_why, change) => {
    expect(judgeRelaunch({ ...succession, ...change })).toBeNull();
  });
});
