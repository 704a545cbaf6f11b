import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, test } from 'vitest';
import { dialects } from '../../build/lake/dialects.ts';
import { lakeViews } from '../../build/lake/views.ts';
import { useDatabase } from '../support/database.ts';
import { exporterTo, fillCertifiedNights, useFolders } from './lake.ts';
import { differences, type MartRow, martQuestions, rowsOfMart } from './lake-questions.ts';
import { fillPlainBook } from './plain-book.ts';
import { filesOfTable } from './read-lake.ts';

const { signal } = new AbortController();

describe('integrations/lake', () => {
  test.each(dialects)('the views for $name are as build/lake writes them', async (dialect) => {
    const folder = new URL(`../../integrations/lake/${dialect.name}/`, import.meta.url).pathname;
    await expect(lakeViews(dialect)).toMatchFileSnapshot(`${folder}views.sql`);
  });
});

/** A DuckDB with the views over a lake, without its extension for Delta Lake, which it would have to download. */
async function openViews(lake: string): Promise<DuckDBConnection> {
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(`set timezone = 'UTC'`);
  const duckdbs = dialects.find(({ name }) => name === 'duckdb')!;
  await duckdb.run(
    lakeViews(duckdbs).replace(/delta_scan\(getvariable\('lake'\) \|\| '\/(\w+)'\)/g, (_, table: string) => {
      const files = filesOfTable(lake, table).map(({ path }) => `'${lake}/${path}'`);
      return `read_parquet([${files.join(', ')}], hive_partitioning = true)`;
    }),
  );
  return duckdb;
}

async function askDuckdb(duckdb: DuckDBConnection, question: string): Promise<MartRow[]> {
  const reader = await duckdb.runAndReadAll(question);
  return reader.getRowObjectsJson() as MartRow[];
}

describe('views over the lake of a random book', () => {
  const database = useDatabase();
  const folders = useFolders();
  let duckdb: DuckDBConnection;

  beforeAll(async () => {
    const { db } = database;
    await fillPlainBook(db);
    await exporterTo(db, folders).exportOwed(signal);
    duckdb = await openViews(folders.lake);
  });

  test.each(martQuestions)('$name has the rows and columns of the mart', async (question) => {
    const expected = await rowsOfMart(database.db, question);
    expect(expected.length).toBeGreaterThan(10);
    expect(differences(await askDuckdb(duckdb, question.sql), expected)).toEqual([]);
  });
});

describe('views over the lake of the few nights', () => {
  const database = useDatabase();
  const folders = useFolders();

  test('fct_promotion has the promotions that were in effect on a certified night', async () => {
    await fillCertifiedNights(database.db);
    await exporterTo(database.db, folders).exportOwed(signal);
    const duckdb = await openViews(folders.lake);
    const columns = 'region, product_id, description, kind, loyalty_price';
    const { rows } = await database.db.query<MartRow>(`
      select ${columns} from marts.fct_promotion
      where exists (
        select from marts.fct_price_daily night
        join marts.certificate s using (run_id)
        where night.product_key = fct_promotion.product_key and night.on_promotion
          and s.observed_at >= seen_from and (seen_to is null or s.observed_at < seen_to)
          and (starts_at is null or starts_at <= s.observed_at) and (ends_at is null or ends_at > s.observed_at))`);
    expect(rows.length).toBeGreaterThan(0);
    expect(differences(await askDuckdb(duckdb, `select ${columns} from marts.fct_promotion`), rows)).toEqual([]);
  });
});
