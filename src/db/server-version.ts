import { ConfigInvalid } from '../base/errors.ts';
import type { Queryable } from './client.ts';
import { type DbLog, silentLog } from './db-log.ts';

/** Major versions that the program is tested with. */
const supportedVersions = { oldest: 15, newest: 18 } as const;

/** The server's major version. Throws `ConfigInvalid` if it is too old; logs a warning if it is newer than tested. */
export async function checkServerVersion(db: Queryable, log: DbLog = silentLog): Promise<number> {
  const { rows } = await db.query<{ version: number }>(
    `select current_setting('server_version_num')::int / 10000 as version`,
  );
  const version = rows[0]?.version ?? 0;
  if (version < supportedVersions.oldest) {
    throw new ConfigInvalid([
      `DATABASE_URL: the server is PostgreSQL ${version}; ` +
        `${supportedVersions.oldest} to ${supportedVersions.newest} can be used`,
    ]);
  }
  if (version > supportedVersions.newest) {
    log.warn({ version }, 'PostgreSQL is newer than the versions this program was tested with');
  }
  return version;
}
