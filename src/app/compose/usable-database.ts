import { ConfigInvalid, ServerUnreachable } from '../../base/errors.ts';
import type { Queryable } from '../../db/client.ts';
import type { DbLog } from '../../db/db-log.ts';

/** Major versions of PostgreSQL that the program is tested with. */
const [oldest, newest] = [15, 18];

const look = `
  select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
    pg_is_in_recovery() as is_standby, current_setting('transaction_read_only')::boolean as is_read_only,
    has_database_privilege(current_database(), 'create') or to_regnamespace('ops') is not null as may_set_up,
    not has_schema_privilege(to_regnamespace('ops')::oid, 'usage') as is_reader,
    quote_ident(current_database()) as name, quote_ident(current_user) as user`;

/**
 * Throws `ConfigInvalid` if the program cannot work in the database, and `ServerUnreachable` if the server is a
 * standby, which may become the primary. Logs a warning if the server is newer than tested.
 */
export async function refuseUnusable(db: Queryable, log: DbLog): Promise<void> {
  const { version, encoding, is_standby, is_read_only, may_set_up, is_reader, name, user } = (await db.query(look))
    .rows[0]!;
  if (version > newest) log.warn({ version }, 'PostgreSQL is newer than the versions this program was tested with');
  if (is_standby) {
    const cause = new Error('this server is a standby, which only reads');
    throw new ServerUnreachable('The primary PostgreSQL', 'DATABASE_URL', { cause });
  }
  const what =
    version < oldest
      ? `the server is PostgreSQL ${version}; ${oldest} to ${newest} can be used`
      : encoding !== 'UTF8'
        ? `the database ${name} has the encoding ${encoding}, which lacks characters. Create another and use that: ` +
          "create database pricebook_utf8 template template0 encoding 'UTF8' locale 'C.UTF-8'"
        : is_reader
          ? `${user} may only read this book, by SQL. Commands, also serve, need the user that crawls it`
          : is_read_only
            ? `${name} only reads for ${user}: alter the database or the role set default_transaction_read_only = off`
            : !may_set_up && `${user} may not set up the schema: grant create on database ${name} to ${user}`;
  if (what) throw new ConfigInvalid([`DATABASE_URL: ${what}`]);
}
