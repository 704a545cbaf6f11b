import type { Queryable } from '../client.ts';

/** Whether everybody who may connect can still make large objects in this database. */
export async function isOpenToPublic(sql: Pick<Queryable, 'query'>): Promise<boolean> {
  const { rows } = await sql.query<{ isOpen: boolean }>(
    `select has_function_privilege('public', 'lo_create(oid)', 'execute') as "isOpen"`,
  );
  return rows[0]!.isOpen;
}

/**
 * SQL: takes away, in the database it runs in, what PostgreSQL grants to everybody: temporary tables, large objects and
 * advisory locks, for which the program would wait. Nobody misses it here. For other servers see
 * docs/operate/roles.md.
 */
export const revokeFromPublic = `
  do $$
  declare f regprocedure;
  begin
    execute format('revoke temporary on database %I from public', current_database());
    revoke all on schema public from public;
    for f in
      select oid from pg_proc
      where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^(lo_|loread$|lowrite$|pg_(try_)?advisory_)'
    loop
      execute format('revoke execute on function %s from public', f);
    end loop;
  end $$`;
