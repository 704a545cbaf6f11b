import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { ListedProduct } from '../../src/base/model/index.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { packSizeFromTitle } from '../../src/source/normalise/pack-title.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { publishOnePage } from '../support/one-page-night.ts';
import { listed } from '../support/open-run.ts';

/** Others every time; more by hand: `SEQUENCES=50 npx vitest run test/derive/pack-size.test.ts`. */
const sequences = Number(process.env['SEQUENCES'] ?? 3);

describe('the size of a pack', () => {
  const database = useDatabase();
  const derive = () => deriveNights(database.db, 'uk');

  const emptied = () => forgetEverything(database.db, 'restart');
  beforeEach(emptied);

  it('the pack size follows the title from night to night', async () => {
    await crawl('2026-03-01', [beans('Beans 400g'), beans('Loose Beans', 2)]);
    await crawl('2026-03-02', [beans('Beans 400g'), beans('Loose Beans', 2)]);
    await crawl('2026-03-03', [beans('Beans 360g'), beans('Loose Beans', 2)], false);
    await crawl('2026-03-04', [beans('Beans 360g'), beans('Loose Beans', 2)]);
    await crawl('2026-03-05', [beans('Beans'), beans('Loose Beans', 2)]);
    await derive();
    expect(await spells()).toEqual([
      '1 2026-03-01 2026-03-04 400 g null title',
      // A night that was not certified tells nothing that the next certified one does not.
      '1 2026-03-04 2026-03-05 360 g null title',
    ]);
  });

  it('a title with an impossible number of pieces has no size, and the night is derived', async () => {
    await crawl('2026-03-01', [beans('Beans 400g'), beans('Beads 99 x 999 x 5g', 2)]);
    await derive();
    expect(await spells()).toEqual(['1 2026-03-01 null 400 g null title']);
  });

  it('the pack size comes from details if the title has none, and from the unit price if both have none', async () => {
    const rolls = beans('Rolls 4 Pack', 1);
    const tea = beans('Tea', 2);
    const peppers = { ...beans('Peppers', 3), priceMinor: 150, unitPrice: '0.5', unitOfMeasure: 'each' };
    const bananas = { ...beans('Bananas', 4), priceMinor: 16, unitPrice: '0.9', unitOfMeasure: 'kg' };
    const meat = { ...beans('Beef Joint', 5), priceMinor: 900, unitPrice: '9', unitOfMeasure: 'kg' };
    const capers = { ...beans('Capers', 6), priceMinor: 100, unitPrice: '10', unitOfMeasure: 'kg DR.WT' };
    await crawl('2026-03-01', [rolls, tea, peppers, bananas, meat, capers]);
    await addDetail(1, '240', 'g');
    await addDetail(2, '80', 'each');
    await derive();
    expect(await spells()).toEqual([
      '1 2026-03-01 null 240 g 4 details',
      '2 2026-03-01 null 80 each 80 details',
      '3 2026-03-01 null 3 each null unit_price',
      '4 2026-03-01 null 180 g null unit_price',
    ]);
  });

  it('an implied size changes with the content paid for, not with the price', async () => {
    const priced = (minor: number, unitPrice: string) => ({
      ...beans('Peppers'),
      priceMinor: minor,
      unitPrice,
      unitOfMeasure: 'kg',
    });
    await crawl('2026-03-01', [priced(200, '4')]);
    await crawl('2026-03-02', [priced(219, '4.38')]);
    await crawl('2026-03-03', [priced(219, '4.87')]);
    await derive();
    expect(await spells()).toEqual([
      '1 2026-03-01 2026-03-03 500 g null unit_price',
      '1 2026-03-03 null 450 g null unit_price',
    ]);
  });

  it('pack sizes do not depend on how nights are derived, and a quiet night writes no row', async () => {
    const title = fc.constantFrom('Beans 400g', 'Beans 4 Pack', 'Beans 4x100g', 'Beans');
    const shown = fc.record({ id: fc.integer({ min: 1, max: 3 }), title, price: fc.constantFrom(100, 120) });
    const night = fc.record({
      products: fc.array(shown, { maxLength: 3 }),
      isCertified: fc.constantFrom(true, true, false),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(night, { minLength: 2, maxLength: 6 }), fc.nat(5), async (nights, from) => {
        await emptied();
        for (const [index, { products, isCertified }] of nights.entries()) {
          const seen = new Map(
            products.map(({ id, title, price }) => [id, { ...beans(title, id), priceMinor: price }]),
          );
          await crawl(`2026-03-0${index + 1}`, [...seen.values()], isCertified);
          await derive();
        }
        const nightByNight = await spells();
        await expectAsTitlesSay();

        await database.db.tx((tx) => forgetDerived(tx, 'uk', `2026-03-0${from + 1}`));
        await derive();
        expect(await spells()).toEqual(nightByNight);
        await database.db.tx((tx) => forgetDerived(tx, 'uk', '2026-01-01'));
        await derive();
        expect(await spells()).toEqual(nightByNight);

        const quiet = [beans('Beans 400g'), beans('Rice 1kg', 2)];
        await crawl('2026-03-08', quiet);
        await derive();
        const rows = () => rowsOf(database.db, 'select ctid, xmin, s::text from derived.pack_size s');
        const before = await rows();
        await crawl('2026-03-09', quiet);
        await derive();
        expect(await rows()).toEqual(before);
      }),
      { numRuns: sequences },
    );
  });

  /** Every certified night by itself: the title it shows, read there and then. */
  async function expectAsTitlesSay() {
    const rows = await rowsOf<{ title: string; size: string | null; measure: string | null; count: number | null }>(
      database.db,
      `select d.title, trim_scale(s.pack_size)::text as size, s.pack_measure as measure, s.pack_count as count
       from marts.fct_price_daily d
       left join marts.fct_pack_size_spell s on s.product_key = d.product_key and s.valid_from <= d.snapshot_date
         and (s.valid_to is null or s.valid_to > d.snapshot_date)`,
    );
    for (const { title, size, measure, count } of rows)
      expect(size === null ? null : { size, measure, count }, title).toEqual(packSizeFromTitle(title));
  }

  async function spells(): Promise<string[]> {
    const rows = await rowsOf(
      database.db,
      `select p.product_id, s.valid_from, s.valid_to, s.pack_size, s.pack_measure, s.pack_count, s.source
       from derived.pack_size s join catalog.product p using (product_key) order by p.product_id, s.valid_from`,
    );
    return rows.map((row) => Object.values(row).map(String).join(' '));
  }

  async function addDetail(productId: number, size: string, measure: string) {
    await database.db.query(
      `insert into catalog.product_detail (product_key, valid_from, detail_hash, allergens, pack_size, pack_measure,
         pack_count)
       select product_key, valid_from, gen_random_uuid(), '{}', $2::numeric, $3::text, case when $3 = 'each' then 80 end
       from catalog.product where product_id = $1`,
      [String(productId), size, measure],
    );
  }

  const crawl = (date: string, products: readonly ListedProduct[], isCertified = true) =>
    publishOnePage(database.db, date, products, isCertified);
});

const beans = (title: string, id = 1): ListedProduct => ({
  ...listed(String(id)),
  title,
  priceMinor: 100,
  unitPrice: null,
  unitOfMeasure: null,
});
