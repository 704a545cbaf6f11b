import type { Queryable } from '../../src/db/client.ts';
import { forgetEverything } from './forget-everything.ts';

/** Saves the contents of the database for `recallEverything`, because many tests begin with the same first night. */
export async function rememberEverything(sql: Queryable): Promise<void> {
  await sql.query(`
    do $$
    declare
      found record;
    begin
      drop schema if exists remembered cascade;
      create schema remembered;
      for found in
        select c.oid::regclass as name, format('remembered.%I', c.oid::regclass) as copy from pg_class c
        where c.relkind = 'r' and c.relnamespace::regnamespace::text in ('ops', 'catalog', 'stage', 'derived')
          and c.oid not in ('catalog.region'::regclass, 'ops.schema_state'::regclass)
      loop
        execute format('create table %s as table %s', found.copy, found.name);
      end loop;
    end
    $$`);
}

/** Restores the saved contents; keys continue from their current values. */
export async function recallEverything(sql: Queryable): Promise<void> {
  await forgetEverything(sql);
  await sql.query(`
    do $$
    declare
      found record;
    begin
      set local session_replication_role = replica;
      for found in
        select c.relname as name, c.oid::regclass as copy,
          (select string_agg(format('%I', a.attname), ', ' order by a.attnum) from pg_attribute a
           where a.attrelid = c.relname::regclass
             and a.attnum > 0
             and not a.attisdropped
             and a.attgenerated = '') as columns
        from pg_class c
        where c.relkind = 'r' and c.relnamespace = 'remembered'::regnamespace
      loop
        -- A worker at work has renewed its row meanwhile.
        execute format('insert into %s (%s) overriding system value select %2$s from %s on conflict do nothing',
          found.name, found.columns, found.copy);
      end loop;
    end
    $$`);
}
