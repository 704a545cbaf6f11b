import type { Database, Queryable } from './client.ts';

const rowsPerBatch = 2_000;

/**
 * Reads the rows of a statement in batches from one snapshot, with constant memory. `before` is called first and sees
 * the same snapshot.
 */
export async function* readBatches<Row extends Record<string, unknown>>(
  db: Database,
  text: string,
  values: readonly unknown[],
  before: (sql: Queryable) => Promise<void> = async () => {},
): AsyncGenerator<Row[]> {
  const client = await db.pool.connect();
  let failure: unknown;
  try {
    await client.query('begin isolation level repeatable read read only');
    await before({ query: (statement, given) => client.query(statement, given as unknown[]) });
    await client.query(`declare batches no scroll cursor for ${text}`, [...values]);
    for (let isMore = true; isMore; ) {
      const { rows } = await client.query<Row>(`fetch ${rowsPerBatch} from batches`);
      isMore = rows.length === rowsPerBatch;
      if (rows.length > 0) yield rows;
    }
  } catch (error) {
    failure = error;
    throw error;
  } finally {
    // Also runs when the consumer stops early.
    if (failure === undefined) await client.query('rollback');
    client.release(failure !== undefined);
  }
}
