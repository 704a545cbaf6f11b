import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { readText } from '../house/source-files.ts';
import { useDatabase } from '../support/database.ts';
import { exporterTo, fillCertifiedNights, useFolders } from './lake.ts';
import { filesOfTable } from './read-lake.ts';

const { signal } = new AbortController();

describe('docs/analyse/lake.md', () => {
  const database = useDatabase();
  const folders = useFolders();
  const examples = [...readText('docs/analyse/lake.md').matchAll(/```duckdb\n([\s\S]*?)```/g)].map(
    (match) => match[1]!,
  );

  beforeAll(async () => {
    await fillCertifiedNights(database.db);
    await exporterTo(database.db, folders).exportOwed(signal);
  });

  /** DuckDB would have to download its extension for Delta Lake. */
  const withoutExtension = (_: string, table: string) => {
    const files = filesOfTable(folders.lake, table).map(({ path }) => `'${folders.lake}/${path}'`);
    return `read_parquet([${files.join(', ')}], hive_partitioning = true)`;
  };
  /** An example's rows, as text. */
  const answer = async (example: string): Promise<string[][]> => {
    const instance = await DuckDBInstance.create(':memory:');
    const duckdb = await instance.connect();
    try {
      const reader = await duckdb.runAndReadAll(example.replace(/delta_scan\('lake\/(\w+)'\)/g, withoutExtension));
      return reader.getRows().map((row) => row.map(String));
    } finally {
      duckdb.closeSync();
      instance.closeSync();
    }
  };
  const inPostgres = async (text: string): Promise<string[][]> =>
    (await database.db.query(text)).rows.map((row) => Object.values(row).map(String));

  it('the page reads nights with the values of fct_price_daily', async () => {
    expect(examples).toHaveLength(2);
    const rows = await answer(examples[0]!);
    expect(rows.map(([date, products]) => [date, products])).toEqual(
      await inPostgres(
        `select snapshot_date, count(*) from marts.fct_price_daily
         where region = 'uk' and availability = 'available' group by 1 order by 1`,
      ),
    );
  });

  it('the page joins changes with products as of the night', async () => {
    const rows = await answer(examples[1]!);
    expect(rows.map(([date, title, , before, after]) => [date, title, before, after])).toEqual([
      ['2026-03-02', 'Milk Whole 2 Litre', '1.45', '1.60'],
    ]);
  });
});
