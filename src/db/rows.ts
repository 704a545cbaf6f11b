import type pg from 'pg';
import type { Askable } from './client.ts';

/** The rows of one statement. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  sql: Askable,
  text: string,
  values?: readonly unknown[],
): Promise<Row[]> {
  return (await sql.query<Row>(text, values)).rows;
}

/** How many rows one statement touched. */
export async function countOf(sql: Askable, text: string, values?: readonly unknown[]): Promise<number> {
  return (await sql.query(text, values)).rowCount ?? 0;
}
