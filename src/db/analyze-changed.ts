import type { Database } from './client.ts';
import { rowsOf } from './rows.ts';

/**
 * Refreshes the planner's statistics of tables that have changed much. Autovacuum does the same minutes later; until
 * then, a query that joins nights can take a minute instead of milliseconds.
 */
export async function analyzeChanged(db: Database): Promise<void> {
  const tables = await rowsOf<{ name: string; is_new: boolean }>(
    db,
    `select relid::regclass::text as name, coalesce(last_analyze, last_autoanalyze) is null as is_new
     from pg_stat_user_tables stat
     join pg_class c on c.oid = stat.relid
     left join lateral pg_options_to_table(c.reloptions) as setting
       on setting.option_name = 'autovacuum_analyze_scale_factor'
     where schemaname in ('catalog', 'derived')
       -- A tenth of the rows has changed, or the share that the table's storage settings name.
       and n_mod_since_analyze > 50 + coalesce(setting.option_value::float8, 0.1) * n_live_tup
       -- Tables of other owners cannot be analyzed and would cause a warning each time.
       and pg_has_role(c.relowner, 'usage')
     order by name`,
  );
  // One statement locks one table: several at once could deadlock with another process. One that is locked is skipped,
  // because whoever holds it analyzes it.
  for (const { name, is_new } of tables) {
    // Of a new table, a sample of 9,000 rows, a third of the usual one, tells as much: nothing has a past yet.
    await db.query(`${is_new ? 'set local default_statistics_target = 30; ' : ''}analyze (skip_locked) ${name}`);
  }
}
