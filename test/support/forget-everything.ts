import type { Queryable } from '../../src/db/client.ts';

/**
 * Leaves the database as a first night finds it, with no row but those of migrating; `restart` counts keys from their
 * start again, too. Rows are deleted, not truncated: that would make the files of every table and index anew, which
 * takes longer than a small night.
 */
export async function forgetEverything(sql: Queryable, keys: 'continue' | 'restart' = 'continue'): Promise<void> {
  await sql.query(`
    do $$
    declare
      found record;
    begin
      -- No trigger, and so no foreign key: in the end nothing is left that could point anywhere.
      set local session_replication_role = replica;
      for found in
        select c.oid::regclass as name from pg_class c
        where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('ops', 'catalog', 'stage', 'derived')
          -- What migrating fills.
          and c.oid not in ('catalog.region'::regclass, 'ops.schema_state'::regclass)
      loop
        execute format('delete from %s', found.name);
      end loop;
    end
    $$`);
  if (keys === 'continue') return;
  await sql.query(`
    select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences
    where schemaname in ('ops', 'catalog', 'stage', 'derived')`);
}
