import type pg from 'pg';
import type { Queryable } from './client.ts';

/** Executes a statement and returns its rows. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  sql: Queryable,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  return (await sql.query<Row>(text, values)).rows;
}

/** Executes a statement and returns the number of affected rows. */
export async function countOf(sql: Queryable, text: string, values?: readonly unknown[]): Promise<number> {
  return (await sql.query(text, values)).rowCount ?? 0;
}
