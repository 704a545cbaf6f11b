import { beforeAll, describe, expect, it } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { sqlDerivation } from '../../src/followers/derive/sql-derivation.ts';
import { useDatabase } from '../support/database.ts';
import { insert, runRow } from '../support/insert.ts';
import { readTitles } from '../support/read-titles.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';
import packs from './pack-change.json' with { type: 'json' };

const all = [sqlDerivation('pack-change')];

interface Pack {
  readonly title: string;
  /** Grams that an earlier parser read in the title. */
  readonly readAs?: number;
  readonly gtin?: string;
  /** Grams in its details. */
  readonly listed?: number;
  readonly price?: number | null;
  readonly unitPrice?: number;
  readonly unit?: string;
}

/** From pack-change.json: the pack until the second night, the pack since, and the expected change; null: none. */
const cases = packs.changes as [why: string, before: Pack, after: Pack, said: string | null][];

describe('a pack whose content changes on the third of five nights', () => {
  const database = useDatabase();
  const nights = [1, 2, 3, 4, 5].map((day) => `2026-03-0${day}T02:00:00Z`);
  const [first, , third] = nights as [string, string, string];

  beforeAll(async () => {
    const { db } = database;
    await makeSpellsWritable(db);
    for (const at of nights) await insert(db, 'ops.run', [runRow(at)]);
    for (const [n, [, before, after]] of cases.entries()) await write(n + 1, before, after);
    await readTitles(db);
    for (const [n, [, { readAs }]] of cases.entries()) {
      if (readAs !== undefined)
        await db.query('update catalog.product_history set pack_size = $2 where product_key = $1', [n + 1, readAs]);
    }
    await deriveNights(db, 'uk', { all });
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
    const seen = { product_key: key, valid_from: first };
    await insert(db, 'catalog.product_history', [{ ...seen, valid_to: third, title, gtin, image_url: null }]);
    await insert(db, 'catalog.availability_spell', [{ ...seen, availability: 'available', valid_to: null }]);
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

// From pack-change.json: the successor of `Northfold Classic Baked Beans 500g`, and the expected relaunch.
const successors = packs.relaunches as [why: string, successor: Successor, said: string | null][];

interface Successor {
  readonly title?: string;
  readonly gtin?: string;
  readonly tpnb?: string;
  /** Day in March on which it arrives; the former product leaves on the 2nd. */
  readonly day?: number;
  /** State of the former product then; with DELIST_AFTER=1 it is never absent. */
  readonly gone?: 'absent' | 'delisted';
  readonly price?: number | null;
}

describe('a product takes the place of another', () => {
  const database = useDatabase();
  const at = (day: number) => `2026-03-${String(day).padStart(2, '0')}T02:00:00Z`;

  beforeAll(async () => {
    const { db } = database;
    await makeSpellsWritable(db);
    for (let day = 1; day <= 18; day++) await insert(db, 'ops.run', [runRow(at(day))]);
    for (const [n, [, successor]] of successors.entries()) await write(n + 1, successor);
    await readTitles(db);
    await deriveNights(db, 'uk', { all });
  });

  async function write(key: number, successor: Successor): Promise<void> {
    const { db } = database;
    const { day = 2, gone = 'absent', tpnb = null } = successor;
    const category = {
      category_key: key,
      region: 'uk',
      category_id: `c${key}`,
      name: 'Tins',
      label: 'shelf',
      depth: 0,
    };
    await insert(db, 'catalog.category', [{ ...category, path: 'Tins', first_seen_at: at(1) }]);
    const former = { title: 'Northfold Classic Baked Beans 500g', gtin: '05060000000017', price: 200 };
    const smaller = { title: 'Northfold Classic Baked Beans 450g', gtin: '05060000000024', price: 200 };
    for (const { product_key, title, gtin, price, valid_from, valid_to } of [
      { ...former, product_key: 100 + key, valid_from: at(1), valid_to: at(2) },
      { ...smaller, ...successor, product_key: key, valid_from: at(day), valid_to: null },
    ]) {
      const seen = { product_key, valid_from, valid_to: null };
      await insert(db, 'catalog.product', [
        {
          ...{ product_key, region: 'uk', product_id: String(product_key), title, gtin, tpnb, is_for_sale: true },
          ...{ first_seen_at: valid_from, valid_from, entry_hash: '00000000-0000-0000-0000-000000000000' },
        },
      ]);
      await insert(db, 'catalog.extra_listing', [{ ...seen, category_key: key }]);
      await insert(db, 'catalog.price_spell', [{ ...seen, price_minor: price }]);
      await insert(db, 'catalog.availability_spell', [
        { product_key, availability: 'available', valid_from, valid_to },
        ...(valid_to === null ? [] : [{ product_key, availability: gone, valid_from: valid_to, valid_to: null }]),
      ]);
    }
  }

  it.each(successors.map(([why, , said], n) => [why, n + 1, said] as const))(
    'a relaunch is decided correctly when %s',
    async (_, key, said) => {
      const rows = await rowsOf<{ said: string }>(
        database.db,
        `select concat_ws(' ', old_size, new_size, evidence, score) as said
         from derived.pack_change where product_key = $1 and former_product_key = $1 + 100`,
        [key],
      );
      expect(rows.map((row) => row.said)).toEqual(said === null ? [] : [said]);
    },
  );
});
