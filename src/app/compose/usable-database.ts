import { ConfigInvalid, ServerUnreachable } from '../../base/errors.ts';
import type { Queryable } from '../../db/client.ts';
import type { DbLog } from '../../db/db-log.ts';

/** Major versions of PostgreSQL that the program is tested with. */
const oldest = 15;
const newest = 18;

const look = `
  select
    current_setting('server_version_num')::int / 10000 as version,
    current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as "isStandby",
    current_setting('transaction_read_only')::boolean as "isReadOnly",
    has_database_privilege(current_database(), 'create') or to_regnamespace('ops') is not null as "maySetUp",
    quote_ident(current_database()) as name,
    quote_ident(current_user) as user`;

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  readonly maySetUp: boolean;
  readonly name: string;
  readonly user: string;
}

/**
 * Throws `ConfigInvalid` if the program cannot work in the database, and `ServerUnreachable` if the server is a standby,
 * which may become the primary. Logs a warning if the server is newer than tested.
 */
export async function refuseUnusable(db: Queryable, log: DbLog): Promise<void> {
  const { version, encoding, isStandby, isReadOnly, maySetUp, name, user } = (await db.query<Server>(look)).rows[0]!;
  const refuse = (what: string) => new ConfigInvalid([`DATABASE_URL: ${what}`]);
  if (version < oldest) throw refuse(`the server is PostgreSQL ${version}; ${oldest} to ${newest} can be used`);
  if (encoding !== 'UTF8')
    throw refuse(
      `the database ${name} has the encoding ${encoding}, which cannot hold all texts. Create another and use that: ` +
        "create database pricebook_utf8 template template0 encoding 'UTF8' locale 'C.UTF-8'",
    );
  if (isStandby)
    throw new ServerUnreachable('The primary PostgreSQL', 'DATABASE_URL', {
      cause: new Error('this server is a standby, which only reads'),
    });
  if (isReadOnly)
    throw refuse(
      `the database ${name} only reads for ${user}: default_transaction_read_only is on for the server, the database ` +
        `or the role. To allow writing: alter database ${name} set default_transaction_read_only = off`,
    );
  if (!maySetUp)
    throw refuse(
      `its user may not set up the schema; its owner can allow it: grant create on database ${name} to ${user}`,
    );
  if (version > newest) log.warn({ version }, 'PostgreSQL is newer than the versions this program was tested with');
}
