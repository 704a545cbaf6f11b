import type pg from 'pg';
import type { Askable } from './client.ts';

/** Executes a statement and returns its rows. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  sql: Askable,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  return (await sql.query<Row>(text, values)).rows;
}

/** Executes a statement and returns the number of affected rows. */
export async function countOf(sql: Askable, text: string, values?: readonly unknown[]): Promise<number> {
  return (await sql.query(text, values)).rowCount ?? 0;
}
