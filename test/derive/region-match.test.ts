import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RegionCode } from '../../src/base/model/index.ts';
import { deriveNights, forgetWithNightBefore } from '../../src/followers/derive/derive-nights.ts';
import { sqlDerivation } from '../../src/followers/derive/sql-derivation.ts';
import { checkDigit } from '../../src/source/normalise/barcode.ts';
import { useDatabase } from '../support/database.ts';
import { insert, runRow } from '../support/insert.ts';
import { readTitles } from '../support/read-titles.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';

const barcode = (body: string) => body.padStart(13, '0') + checkDigit(body.padStart(13, '0'));
const [oneBarcode, otherBarcode] = [barcode('501234567890'), barcode('501234567891')];

interface Listed {
  readonly gtin?: string;
  readonly tpnb?: string;
  readonly title?: string;
  readonly brand?: string;
  /** Days in March on which it was listed, first and last; by default from the first day on. */
  readonly days?: readonly [number, number];
}

describe('matching the two regions', () => {
  const database = useDatabase();
  const query = (text: string, values?: readonly unknown[]) => database.db.query(text, values);
  const derive = async (region: RegionCode) => {
    await readTitles(database.db);
    return deriveNights(database.db, region, { all: [sqlDerivation('region-match')] });
  };

  beforeAll(() => makeSpellsWritable(database.db));
  beforeEach(() => empty());

  async function empty(): Promise<void> {
    await query(
      `truncate derived.night, derived.region_pair, catalog.availability_history,
         catalog.product_current, catalog.product_history`,
    );
    await query('delete from catalog.product');
    await query('delete from ops.run');
  }

  /** Products by their ids: `uk1`, `ie1`; nights of both regions on the 1st. */
  async function book(products: Readonly<Record<string, Listed>>): Promise<void> {
    for (const [id, product] of Object.entries(products)) await list(id, product);
    for (const region of ['uk', 'ie'] as const) await night(region, 1);
  }

  async function list(id: string, { days, title = `Thing ${id}`, ...codes }: Listed): Promise<void> {
    const { rows } = await query(
      `insert into catalog.product (region, product_id, title, gtin, tpnb, brand, is_for_sale, first_seen_at,
         valid_from, entry_hash)
       values ($1, $2, $3, $4, $5, $6, true, $7, $7, md5($2)::uuid) returning product_key`,
      [id.slice(0, 2), id, title, codes.gtin ?? null, codes.tpnb ?? null, codes.brand ?? null, at(days?.[0] ?? 1)],
    );
    await insert(database.db, 'catalog.availability_spell', [
      {
        product_key: rows[0]!['product_key'],
        availability: 'available',
        valid_from: at(days?.[0] ?? 1),
        valid_to: days === undefined ? null : at(days[1]),
      },
    ]);
  }

  const night = (region: RegionCode, day: number, hour = 2) =>
    insert(database.db, 'ops.run', [runRow(at(day, hour), { region })]);

  async function matches(): Promise<string[]> {
    const { rows } = await query(
      'select uk_product_id, ie_product_id, tier, score from marts.region_match order by uk_product_id, ie_product_id',
    );
    return rows.map((row) => Object.values(row).join(' '));
  }

  async function deriveBoth(): Promise<void> {
    await derive('uk');
    await derive('ie');
  }

  it('corrections by a replay are matched again although they began earlier', async () => {
    await book({
      uk1: { gtin: oneBarcode, title: 'Thing' },
      ie1: { gtin: oneBarcode, title: 'Thing' },
      uk2: { brand: 'Acme', title: 'Acme Oats 500g' },
      ie2: { brand: 'Acme', title: 'Acme Oats 450g' },
    });
    await night('uk', 2);
    for (const region of ['uk', 'ie'] as const) await derive(region);
    expect(await matches()).toEqual(['uk1 ie1 1 1.00']);

    // A night whose codes and titles were read wrongly: two products change.
    await query(`update catalog.product set gtin = null, valid_from = $1 where product_id = 'uk1'`, [at(3)]);
    await query(`update catalog.product set title = 'Acme Oats 450g', valid_from = $1 where product_id = 'uk2'`, [
      at(3),
    ]);
    await night('uk', 3);
    await derive('uk');
    expect(await matches()).toEqual(['uk2 ie2 3 1.00']);

    // After a corrected replay both are as they were before.
    await query(`update catalog.product set gtin = $1, valid_from = $2 where product_id = 'uk1'`, [oneBarcode, at(1)]);
    await query(`update catalog.product set title = 'Acme Oats 500g', valid_from = $1 where product_id = 'uk2'`, [
      at(1),
    ]);
    await database.db.tx((tx) => forgetWithNightBefore(tx, 'uk', at(3).slice(0, 10)));
    // The next night of the other region must not remove them permanently.
    await night('ie', 2);
    await derive('ie');
    await derive('uk');
    expect(await matches()).toEqual(['uk1 ie1 1 1.00']);
  });

  it('articles match by barcode, then base product number, then brand, name and content', async () => {
    await book({
      uk1: { gtin: oneBarcode, tpnb: '7', title: 'Tea 80 g', brand: 'Wren' },
      ie1: { gtin: oneBarcode, tpnb: '8', title: 'Wren Tea 80g', brand: 'WREN' },
      uk2: { gtin: otherBarcode, tpnb: '9', title: 'Jam' },
      ie2: { gtin: barcode('501234567892'), tpnb: '9', title: 'Strawberry Jam' },
      uk3: { tpnb: '10', title: 'Wren Cola 4 X 330ml', brand: 'Wren' },
      ie3: { tpnb: '11', title: 'WREN cola 4x330 ML', brand: "Wren'" },
    });
    await deriveBoth();
    expect(await matches()).toEqual(['uk1 ie1 1 0.60', 'uk2 ie2 2 0.33', 'uk3 ie3 3 0.75']);
  });

  it('similar names, unknown or other content, other pieces, and codes of no article do not match', async () => {
    const wrong = oneBarcode.slice(0, 13) + ((Number(oneBarcode[13]) + 1) % 10);
    await book({
      uk1: { title: 'Wren Cola 330ml', brand: 'Wren' },
      ie1: { title: 'Wren Cola Zero 330ml', brand: 'Wren' },
      uk2: { title: 'Wren Lamp', brand: 'Wren' },
      ie2: { title: 'Wren Lamp', brand: 'Wren' },
      uk3: { title: 'Wren Beans 4 x 100g', brand: 'Wren' },
      ie3: { title: 'Wren Beans 2 x 200g', brand: 'Wren' },
      uk4: { title: 'Peas 400g' },
      ie4: { title: 'Peas 400g' },
      // A wrong check digit, and codes for internal use.
      uk5: { gtin: wrong },
      ie5: { gtin: wrong },
      uk6: { gtin: barcode('281000000001') },
      ie6: { gtin: barcode('281000000001') },
      // One code and two sizes: by no other key either.
      uk7: { gtin: oneBarcode, tpnb: '5', title: 'Wren Tea 80g', brand: 'Wren' },
      ie7: { gtin: oneBarcode, tpnb: '5', title: 'Wren Tea 100g', brand: 'Wren' },
      uk8: { tpnb: '6', title: 'Milk 2L' },
      ie8: { tpnb: '6', title: 'Milk 1L' },
    });
    await deriveBoth();
    expect(await matches()).toEqual([]);
  });

  it('a code of two simultaneous products is ignored, and one that moves is followed', async () => {
    await book({
      uk1: { gtin: oneBarcode, days: [1, 9] },
      uk2: { gtin: oneBarcode, days: [9, 20] },
      ie1: { gtin: oneBarcode },
      uk3: { gtin: otherBarcode, days: [1, 9] },
      uk4: { gtin: otherBarcode, days: [8, 20] },
      ie3: { gtin: otherBarcode },
    });
    for (const region of ['uk', 'ie'] as const) await night(region, 21);
    await deriveBoth();
    expect(await matches()).toEqual(['uk1 ie1 1 0.50', 'uk2 ie1 1 0.50']);
  });

  it('matching starts with both regions and then needs only one of the nights', async () => {
    await list('uk1', { gtin: oneBarcode });
    await night('uk', 1);
    await derive('uk');
    expect(await matches()).toEqual([]);
    await list('ie1', { gtin: oneBarcode });
    await night('ie', 3);
    await derive('ie');
    expect(await matches()).toEqual(['uk1 ie1 1 0.50']);
  });

  it('matches are the same night by night or computed anew', async () => {
    const id = fc.constantFrom('uk1', 'uk2', 'uk3', 'ie1', 'ie2', 'ie3');
    const change = fc.record({
      id,
      gtin: fc.constantFrom(null, oneBarcode, otherBarcode),
      tpnb: fc.constantFrom(null, '1', '2'),
      title: fc.constantFrom('Tea 80g', 'Tea 100g', 'Jam 80g'),
      isListed: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(change, { maxLength: 3 }), { minLength: 2, maxLength: 5 }), async (days) => {
        await empty();
        await book(
          Object.fromEntries(
            ['uk1', 'uk2', 'uk3', 'ie1', 'ie2', 'ie3'].map((each) => [each, { brand: 'Wren', title: each }]),
          ),
        );
        // Beside many others, so that few change.
        await query(
          `insert into catalog.product (region, product_id, title, is_for_sale, first_seen_at, valid_from, entry_hash)
           select 'uk', 'other' || n, 'Other ' || n, true, $1, $1, md5(n::text)::uuid
           from generate_series(1, 200) as n`,
          [at(1)],
        );
        await query('analyze catalog.product');
        await deriveBoth();
        for (const [n, changes] of days.entries()) {
          for (const { id: changed, gtin, tpnb, title, isListed } of changes) {
            await query(
              `insert into catalog.product_history (product_key, valid_from, valid_to, gtin, tpnb, title, brand)
               select product_key, valid_from, $2, gtin, tpnb, title, brand from catalog.product
               where product_id = $1 and valid_from < $2`,
              [changed, at(n + 2)],
            );
            await query(
              'update catalog.product set gtin = $2, tpnb = $3, title = $4, valid_from = $5 where product_id = $1',
              [changed, gtin, tpnb, title, at(n + 2)],
            );
            await query(
              `update catalog.availability_spell h set valid_to = $2 from catalog.product p
               where p.product_key = h.product_key and p.product_id = $1 and h.valid_to is null and h.valid_from < $2`,
              [changed, at(n + 2)],
            );
            await query(
              `insert into catalog.availability_spell (product_key, availability, valid_from)
               select product_key, $3::catalog.availability, $2 from catalog.product where product_id = $1`,
              [changed, at(n + 2), isListed ? 'available' : 'absent'],
            );
          }
          for (const region of ['uk', 'ie'] as const) await night(region, n + 2);
          await deriveBoth();
        }
        const nightly = await matches();
        await query('truncate derived.night, derived.region_pair');
        await deriveBoth();
        expect(nightly).toEqual(await matches());
      }),
      { numRuns: 6 },
    );
  });

  it('matches use the knowledge of certified nights, also after a partial night', async () => {
    await book({
      uk1: { gtin: oneBarcode, title: 'Thing' },
      ie1: { gtin: oneBarcode, title: 'Thing' },
      ie2: { gtin: otherBarcode, title: 'Other' },
    });
    await deriveBoth();
    const known = ['uk1 ie1 1 1.00'];
    expect(await matches()).toEqual(known);
    const since = () => query('select since from derived.region_pair').then(({ rows }) => rows);
    const before = await since();

    await night('uk', 2);
    await query(`update ops.run set verdict = 'partial' where snapshot_date = '2026-03-02'`);
    await query(
      `insert into catalog.product_history (product_key, valid_from, valid_to, gtin, title)
       select product_key, valid_from, $1, gtin, title from catalog.product where product_id = 'uk1'`,
      [at(2)],
    );
    await query(`update catalog.product set gtin = $1, valid_from = $2 where product_id = 'uk1'`, [
      otherBarcode,
      at(2),
    ]);
    await list('uk2', { gtin: oneBarcode, title: 'Thing', days: [2, 9] });
    await query('truncate derived.night, derived.region_pair');
    await deriveBoth();
    expect(await matches()).toEqual(known);
    expect(await since()).toEqual(before);

    await night('uk', 3);
    await deriveBoth();
    expect(await matches()).toEqual(['uk1 ie2 1 0.50', 'uk2 ie1 1 1.00']);
  });
});

function at(day: number, hour = 2): string {
  return `2026-03-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`;
}
