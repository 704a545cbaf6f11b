import type { Database } from './client.ts';
import { rowsOf } from './rows.ts';

/** The part of a table that may have changed before the planner is told. */
const staleShare = 0.05;

/**
 * Refreshes the planner's statistics of tables that have changed much since they were last gathered. Autovacuum does so
 * too, but minutes later: until then a question that joins nights can take a minute instead of milliseconds.
 */
export async function analyzeChanged(db: Database): Promise<void> {
  const tables = await rowsOf<{ name: string }>(
    db,
    `select relid::regclass::text as name from pg_stat_user_tables
     where schemaname in ('catalog', 'derived') and n_mod_since_analyze > 50 + $1::float8 * n_live_tup
       -- Others' tables cannot be analyzed, and are warned of each time.
       and pg_has_role((select relowner from pg_class where pg_class.oid = relid), 'usage')`,
    [staleShare],
  );
  if (tables.length > 0) await db.query(`analyze ${tables.map(({ name }) => name).join(', ')}`);
}
