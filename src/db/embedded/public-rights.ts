import type pg from 'pg';

/**
 * Takes from everybody what PostgreSQL gives to everybody: temporary tables, the schema `public`, large objects. The embedded
 * database is ours alone, so nobody misses it; of other servers docs/operations.md says how. Once per database.
 */
export async function revokePublicRights(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ database: string; are_there: boolean }>(
    `select current_database() as database, has_database_privilege('public', current_database(), 'temporary') as are_there`,
  );
  const { database, are_there: areThere } = rows[0]!;
  if (!areThere) return;
  await client.query('begin');
  // Two commands may open a new database at once, and one of them would fail on the other's change.
  await client.query('select pg_advisory_xact_lock($1)', [lock]);
  await client.query(`revoke temporary on database ${client.escapeIdentifier(database)} from public`);
  await client.query('revoke all on schema public from public');
  await client.query('revoke execute on function lo_creat(int), lo_create(oid), lo_from_bytea(oid, bytea) from public');
  await client.query('commit');
}

/** Any number, the same in every version of the program: "publ". */
const lock = 0x7075626c;
