import type { Queryable } from '../../src/db/client.ts';

/**
 * Rows by column name; columns may differ from row to row, what is left out takes its default. Identity keys may be
 * given.
 */
export async function insert(sql: Queryable, table: string, rows: readonly Record<string, unknown>[]): Promise<void> {
  for (const row of rows) {
    const columns = Object.keys(row);
    const places = columns.map((_, index) => `$${index + 1}`);
    await sql.query(
      `insert into ${table} (${columns.join(', ')}) overriding system value values (${places.join(', ')})`,
      Object.values(row),
    );
  }
}

/** A row of `ops.run`: a certified night of the UK that was observed at an instant. */
export function runRow(observedAt: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    region: 'uk',
    snapshot_date: observedAt.slice(0, 10),
    observed_at: observedAt,
    started_at: observedAt,
    status: 'published',
    phase: 'over',
    max_details: 0,
    origin: 'crawl',
    verdict: 'complete',
    ...more,
  };
}
