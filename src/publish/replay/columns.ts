import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Column names by table (`catalog.product`), in table order. */
export type Columns = ReadonlyMap<string, readonly string[]>;

/** Reads the columns of all tables of the catalogue, stage and ledger. */
export async function readColumns(sql: Queryable): Promise<Columns> {
  const rows = await rowsOf<{ name: string; columns: string[] }>(
    sql,
    `select c.relnamespace::regnamespace::text || '.' || c.relname as name,
       array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relkind = 'r' and c.relnamespace in ('catalog'::regnamespace, 'stage'::regnamespace, 'ops'::regnamespace)
     group by c.oid
     order by 1`,
  );
  return new Map(rows.map(({ name, columns }) => [name, columns]));
}

/** Builds `x.a, x.b, <expression> as c`: all columns of a table, some replaced by expressions. */
export function selected(
  columns: readonly string[],
  alias: string,
  otherwise: Readonly<Record<string, string>> = {},
): string {
  return columns.map((name) => (name in otherwise ? `${otherwise[name]} as ${name}` : `${alias}.${name}`)).join(', ');
}
