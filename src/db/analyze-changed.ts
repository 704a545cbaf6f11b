import type { Database } from './client.ts';
import { codeOf } from './connection-error.ts';
import { rowsOf } from './rows.ts';

/** Refreshes the planner's statistics of tables that have changed much, as autovacuum does, but minutes earlier. */
export async function analyzeChanged(db: Database): Promise<void> {
  const tables = await rowsOf<{ name: string }>(
    db,
    `select relid::regclass::text as name
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
  // One statement locks one table: several at once could deadlock with another process, which may have begun to analyze
  // before our rows were there. Without them, a region looks empty, and joins of its products take minutes.
  for (const { name } of tables) {
    await db.query(`set local lock_timeout = '10s'; analyze ${name}`).catch((error: unknown) => {
      if (codeOf(error) !== '55P03') throw error;
    });
  }
}
