import type { DuckDBConnection } from '@duckdb/node-api';
import type { Column } from './datasets.ts';
import { quoted } from './duckdb.ts';

/** Readers skip row groups by their minimum and maximum product_id. */
const rowGroupSize = 32_768;

/** Maximum bytes of a row, many times the longest description. Reading a row needs twice as much memory. */
const longestRow = 2_000_000;

/** Converts a CSV file written by COPY to Parquet, in the same order. Returns the number of rows. */
export async function writeParquet(
  duckdb: DuckDBConnection,
  { columns, rows, path }: { readonly columns: readonly Column[]; readonly rows: string; readonly path: string },
): Promise<number> {
  const types = columns.map(({ name, type }) => `${quoted(name)}: ${quoted(type)}`).join(', ');
  await duckdb.run(`
    copy (
      from read_csv(${quoted(rows)}, columns = {${types}}, header = false, auto_detect = false, parallel = false,
        delim = ',', quote = '"', escape = '"', nullstr = '', allow_quoted_nulls = false,
        max_line_size = ${longestRow}, buffer_size = ${2 * longestRow})
    ) to ${quoted(path)} (format parquet, compression zstd, row_group_size ${rowGroupSize})`);
  return Number(await valueIn(duckdb, `select count(*)::integer from read_parquet(${quoted(path)})`));
}

/** Content hash of the files of a night, equal to `catalog.product_hash`. */
export async function hashOfFiles(
  duckdb: DuckDBConnection,
  { prices, products }: { readonly prices: string; readonly products: string },
): Promise<string> {
  const hash = await valueIn(
    duckdb,
    `select coalesce(sum(('0x' || left(md5(concat_ws(chr(31),
       product_id, title, coalesce(price::varchar, '-'), currency,
       coalesce(regexp_replace(unit_price::varchar, '\\.?0+$', ''), '-'), coalesce(unit_of_measure, '-'),
       coalesce(loyalty_price::varchar, '-'), availability, case when on_promotion then 't' else 'f' end)
     ), 15))::bigint), 0)::varchar
     from read_parquet(${quoted(prices)})
     left join (select product_key, title from read_parquet(${quoted(products)})) using (product_key)`,
  );
  return String(hash);
}

async function valueIn(duckdb: DuckDBConnection, select: string): Promise<unknown> {
  const reader = await duckdb.runAndReadAll(select);
  return reader.getRows()[0]![0];
}
