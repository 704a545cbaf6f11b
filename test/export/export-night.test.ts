import { beforeAll, describe, expect, it } from 'vitest';
import { at, fillFewNights, keys } from '../db/few-nights.ts';
import { renewContentHashes } from '../support/content-hashes.ts';
import { useDatabase } from '../support/database.ts';
import { derive } from '../support/derive.ts';
import { insert, runRow } from '../support/insert.ts';
import { certify, exporterTo, exportNight, fillCertifiedNights, useFolders } from './lake.ts';
import { brokenPromises, fileOf, filesIn, nightsIn } from './read-lake.ts';
import { readParquet } from './read-parquet.ts';

const dates = ['2026-03-01', '2026-03-02', '2026-03-04', '2026-03-05', '2026-03-06'];

describe('price changes that no certified run saw first', () => {
  const database = useDatabase();
  const folders = useFolders();
  const { lake } = folders;
  const changesOf = async (date: string) =>
    (await readParquet(fileOf(lake, 'price_changes', 'uk', date))).map((row) => [
      row['product_id'],
      (row['changed_at'] as Date).toISOString(),
      row['old_price'],
      row['new_price'],
    ]);

  beforeAll(async () => {
    const { db } = database;
    await fillFewNights(db);
    // Cheaper on the partial night, dearer in the partial run of a date that had been certified before.
    await db.query(`update catalog.price_spell set valid_to = $1 where product_key = $2`, [at.n3, keys.tea]);
    await insert(db, 'catalog.price_spell', [
      { product_key: keys.tea, price_minor: 250, valid_from: at.n3, valid_to: at.n4b },
      { product_key: keys.tea, price_minor: 280, valid_from: at.n4b, valid_to: null },
    ]);
    await derive(db);
    await certify(db);
    const exporter = exporterTo(db, folders);
    for (const date of dates) await exportNight(exporter, date);
  });

  it('price changes that no certified run saw first are in the files of the next certified night', async () => {
    expect(await changesOf('2026-03-04')).toEqual([['104', new Date(at.n3).toISOString(), 2.75, 2.5]]);
    expect((await changesOf('2026-03-05')).filter(([product]) => product === '104')).toEqual([
      ['104', new Date(at.n4b).toISOString(), 2.5, 2.8],
    ]);
    let prices: Map<unknown, unknown> | null = null;
    for (const date of dates) {
      const rows = await readParquet(fileOf(lake, 'prices', 'uk', date));
      const now = new Map(rows.map(({ product_id, price }) => [product_id, price]));
      const changes = await changesOf(date);
      for (const [product, , before, after] of prices ? changes : []) {
        expect([date, product, prices!.get(product), now.get(product)]).toEqual([date, product, before, after]);
      }
      const moved = [...now].filter(
        ([product, price]) => price !== null && ![undefined, null, price].includes(prices?.get(product) as null),
      );
      expect([date, moved.map(([product]) => product)]).toEqual([date, changes.map(([product]) => product)]);
      prices = now;
    }
  });

  it('the first night has none, and those between its runs if it was crawled again', async () => {
    expect(await changesOf('2026-03-01')).toEqual([]);
    const { db } = database;
    const again = '2026-03-01T10:00:00Z';
    await insert(db, 'ops.run', [runRow(again, { run_id: 11, snapshot_date: '2026-03-01', finished_at: again })]);
    await db.query('update catalog.price_spell set valid_to = $1 where product_key = $2', [again, keys.gone]);
    await insert(db, 'catalog.price_spell', [
      { product_key: keys.gone, price_minor: 95, valid_from: again, valid_to: null },
    ]);
    await db.query(`
      insert into ops.certificate (run_id, verdict, reasons, delist_after, computed_at)
      values (11, 'complete', '[]', 2, now())`);
    await renewContentHashes(db);
    expect(await exportNight(exporterTo(db, folders), '2026-03-01')).toMatchObject({ run_id: 11 });
    expect(await changesOf('2026-03-01')).toEqual([['102', new Date(again).toISOString(), 0.9, 0.95]]);
  });
});

const certified = [...dates.map((date) => ['uk', date] as const), ['ie', '2026-03-02'] as const];

describe('a night as files', () => {
  const database = useDatabase();
  const folders = useFolders();
  const { lake } = folders;
  const exportTo = (region: 'uk' | 'ie', date: string) =>
    exportNight(exporterTo(database.db, folders), date, { region });

  beforeAll(async () => {
    await fillCertifiedNights(database.db);
    for (const [region, date] of certified) await exportTo(region, date);
  });

  it.each(certified)('%s %s: prices read back by another reader equal fct_price_daily', async (region, date) => {
    const { rows } = await database.db.query(
      `select product_id, product_key, price::float8, currency, unit_price::float8, unit_of_measure,
         loyalty_price::float8, availability, on_promotion
       from marts.fct_price_daily where region = $1 and snapshot_date = $2 order by product_id collate "C"`,
      [region, date],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await readParquet(fileOf(lake, 'prices', region, date))).toEqual(rows);
  });

  it('the tables have the certificate of the night and the hash of every file', () => {
    expect(nightsIn(lake).map((night) => [night.region, night.snapshot_date, night.run_id, night.certificate])).toEqual(
      [
        ['ie', '2026-03-02', 3, 'complete'],
        ['uk', '2026-03-01', 1, 'complete'],
        ['uk', '2026-03-02', 2, 'complete'],
        // Crawled again without a certificate: the certified run is the night.
        ['uk', '2026-03-04', 5, 'complete'],
        ['uk', '2026-03-05', 7, 'complete_within_tolerance'],
        ['uk', '2026-03-06', 8, 'complete'],
      ],
    );
    expect(brokenPromises(lake)).toEqual([]);
  });

  it('the files have the changes of their night and none of a later run of the same date', async () => {
    const changes = await readParquet(fileOf(lake, 'price_changes', 'uk', '2026-03-02'));
    expect(changes).toEqual([
      {
        product_id: '100',
        product_key: 1,
        changed_at: new Date('2026-03-02T02:00:00Z'),
        old_price: 1.45,
        new_price: 1.6,
        currency: 'GBP',
        change_pct: 10.34,
      },
    ]);
    expect(await readParquet(fileOf(lake, 'price_changes', 'uk', '2026-03-04'))).toEqual([]);
  });

  it('the files have products as they were that night', async () => {
    const milkOf = async (date: string) =>
      (await readParquet(fileOf(lake, 'products', 'uk', date))).find(({ product_id }) => product_id === '100');
    expect(await milkOf('2026-03-01')).toMatchObject({ title: 'Milk Whole 2 Litre', brand: null });
    expect(await milkOf('2026-03-06')).toMatchObject({ title: 'Whole Milk 2L', brand: 'HILLSIDE' });
    expect(
      (await readParquet(fileOf(lake, 'products', 'uk', '2026-03-02'))).map(({ product_id }) => product_id),
    ).toEqual((await readParquet(fileOf(lake, 'prices', 'uk', '2026-03-02'))).map(({ product_id }) => product_id));
  });

  it('the files have the promotions in effect: those of the products that are on promotion', async () => {
    for (const [region, date] of certified) {
      const prices = await readParquet(fileOf(lake, 'prices', region, date));
      const promotions = await readParquet(fileOf(lake, 'promotions', region, date));
      expect([...new Set(promotions.map(({ product_id }) => product_id))]).toEqual(
        prices.filter(({ on_promotion }) => on_promotion).map(({ product_id }) => product_id),
      );
      for (const { product_id, loyalty_price: loyaltyPrice } of prices) {
        const stated = promotions
          .filter((each) => each['product_id'] === product_id && each['kind'] === 'loyalty_price')
          .map((each) => Number(each['loyalty_price']));
        expect(loyaltyPrice ?? undefined).toBe(stated.sort((a, b) => a - b)[0]);
      }
    }
  });

  it('exporting a night again changes no file and commits nothing', async () => {
    const before = filesIn(lake);
    for (const [region, date] of certified) await exportTo(region, date);
    expect(filesIn(lake)).toEqual(before);
  });

  it('a night that is crawled again and certified replaces its files', async () => {
    const before = nightsIn(lake).find(({ run_id }) => run_id === 5)!;
    await database.db.query(`update ops.run set verdict = 'complete' where run_id = 6`);
    await database.db.query(`update ops.certificate set verdict = 'complete' where run_id = 6`);
    await exportTo('uk', '2026-03-04');
    const after = nightsIn(lake).find(({ run_id }) => run_id === 6)!;
    expect(nightsIn(lake).filter((night) => night.snapshot_date === '2026-03-04')).toEqual([after]);
    expect(after.content_hash).not.toBe(before.content_hash);
    // Readers of the version before still find their files.
    const there = Object.keys(filesIn(lake));
    expect(there).toEqual(expect.arrayContaining([...before.files, ...after.files].map(({ path }) => path)));
  });
});
