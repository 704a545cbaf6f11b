import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/client.ts';
import { fillFewNights } from '../db/few-nights.ts';
import { misreadingProducts } from '../replay/mistaken.ts';
import { useReplayedBook } from '../replay/replayed-book.ts';
import { useDatabase } from '../support/database.ts';
import { certify, exporterTo, useFolders } from './lake.ts';
import { filesOfTable, nightsIn } from './read-lake.ts';

const { signal } = new AbortController();

/** Nights of the lake on which a change-only table tells another state than the nightly table. */
async function differingNights(lake: string, changes: 'price_spells' | 'product_versions'): Promise<string[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const duckdb = await instance.connect();
  const count = async (query: string) => Number((await duckdb.runAndReadAll(query)).getRows()[0]![0]);
  const files = (table: string) =>
    `read_parquet([${filesOfTable(lake, table).map(({ path }) => `'${lake}/${path}'`)}], hive_partitioning = true)`;
  const nightly = changes === 'price_spells' ? 'prices' : 'products';
  const wrong: string[] = [];
  for (const { region, snapshot_date: date } of nightsIn(lake)) {
    const expected = `select * exclude snapshot_date from ${files(nightly)}
      where region = '${region}' and snapshot_date = '${date}'`;
    const isListed =
      changes === 'price_spells'
        ? `availability in ('available', 'unavailable')`
        : `product_key in (select product_key from (${expected}))`;
    const asOf = `select * exclude snapshot_date
      from (
        from ${files(changes)}
        where region = '${region}' and snapshot_date <= '${date}'
        qualify row_number() over (partition by product_key order by snapshot_date desc) = 1
      )
      where ${isListed}`;
    const differing = await count(`
      select (select count(*) from (${expected} except all ${asOf})) + (select count(*) from (${asOf} except all
        ${expected}))`);
    if (differing > 0 || (await count(`select count(*) from (${expected})`)) === 0) wrong.push(`${region} ${date}`);
  }
  duckdb.closeSync();
  instance.closeSync();
  return wrong;
}

async function expectEqual(lake: string): Promise<void> {
  expect(await differingNights(lake, 'price_spells')).toEqual([]);
  expect(await differingNights(lake, 'product_versions')).toEqual([]);
}

const exportOwed = (db: Database, folders: { lake: string; home: string }) =>
  exporterTo(db, folders).exportOwed(signal);

describe('change-only tables of nights that were partial or crawled twice', () => {
  const database = useDatabase();
  const folders = useFolders();

  test('the last row of each product tells the state of every exported night', async () => {
    await fillFewNights(database.db);
    await certify(database.db);
    await exportOwed(database.db, folders);
    await expectEqual(folders.lake);
    const night = { region: 'uk', snapshotDate: '2026-03-03' } as const;
    await exporterTo(database.db, folders).export(night, { format: 'parquet', includePartial: true, signal });
    await expectEqual(folders.lake);
  });
});

describe('change-only tables of a supermarket with changes and turnover', () => {
  const shop = { items: 160, superDepartments: 3, dailyChange: 0.06, dailyTurnover: 0.04, promoted: 0.3 };
  const book = useReplayedBook({ ...shop, unavailable: 0.05 }, ['uk']);
  const folders = useFolders();
  const dates = [1, 2, 3, 4, 5, 6].map((day) => `2026-03-0${day}`);

  beforeAll(async () => {
    const dearer = misreadingProducts((product) => ({ ...product, title: `${product.title}.` }));
    for (const date of dates) await book.crawl(date, date === dates[2] ? { endpointsOf: dearer } : undefined);
    await exportOwed(book.installation.db, folders);
  });

  test('the last row of each product tells the state of every night', async () => {
    await expectEqual(folders.lake);
    expect(nightsIn(folders.lake).map(({ snapshot_date: date }) => date)).toEqual(dates);
  });

  test('a night that a replay corrects is corrected in them, with the nights after it', async () => {
    await book.replay({ from: dates[2]!, to: dates[5]! }, { apply: true });
    await exportOwed(book.installation.db, folders);
    await expectEqual(folders.lake);
  });

  test('a later night has few rows', async () => {
    const { rows } = await book.installation.db.query<{ products: number }>(
      'select count(*)::int as products from marts.fct_price_daily where snapshot_date = $1',
      [dates[5]],
    );
    const night = { region: 'uk', snapshotDate: dates[5]! } as const;
    const options = { format: 'parquet', includePartial: false, signal } as const;
    const exported = await exporterTo(book.installation.db, folders).export(night, options);
    for (const name of ['price_spells', 'product_versions']) {
      const { rows: changed } = exported!.files.find(({ dataset }) => dataset === name)!;
      expect(changed, name).toBeGreaterThan(0);
      expect(changed, name).toBeLessThan(rows[0]!.products / 2);
    }
  });
});
