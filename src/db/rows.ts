import type pg from 'pg';
import type { Queryable } from './client.ts';

/** Executes a statement and returns its rows. */
export async function rowsOf<Row extends pg.QueryResultRow>(sql: Queryable, text: string, values?: readonly unknown[]) {
  return (await sql.query<Row>(text, values)).rows;
}

/** The same with columns named as the query builder names them: `run_id` is `runId`. */
export async function camelRows<Row extends object>(sql: Queryable, text: string, values?: readonly unknown[]) {
  const { fields, rows } = await sql.query(text, values);
  const keys = fields.map(({ name }) => [name.replace(/_([a-z0-9])/g, (_, letter) => letter.toUpperCase()), name]);
  return rows.map((row) => Object.fromEntries(keys.map(([key, name]) => [key, row[name!]])) as Row);
}

/** Executes a statement and returns the number of affected rows. */
export async function countOf(sql: Queryable, text: string, values?: readonly unknown[]): Promise<number> {
  return (await sql.query(text, values)).rowCount ?? 0;
}
