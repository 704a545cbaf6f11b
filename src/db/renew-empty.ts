import type { Queryable } from './client.ts';

/**
 * Gives tables new files if all of them are empty, so that a server with `wal_level = minimal` writes no WAL for the
 * rows that this transaction adds: half the cost of filling them. Readers then wait for the transaction, so it is left
 * out while another one uses the tables.
 */
export async function renewEmpty(tx: Queryable, tables: readonly [string, ...string[]]): Promise<void> {
  const areEmpty = tables.map((table) => `not exists (select from ${table})`).join(' and ');
  const mayTruncate = tables.map((table) => `has_table_privilege('${table}', 'truncate')`).join(' and ');
  await tx.query(`
    do $$ begin
      if current_setting('wal_level') <> 'minimal' or not (${areEmpty} and ${mayTruncate}) then return; end if;
      begin
        lock table ${tables.join(', ')} in access exclusive mode nowait;
      exception when lock_not_available then return;
      end;
      if ${areEmpty} then truncate ${tables.join(', ')}; end if;
    end $$`);
}
