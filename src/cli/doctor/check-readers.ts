import type { Database } from '../../db/client.ts';
import { readingSettings } from '../../db/reader-role.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Diagnosis, warning } from './diagnosis.ts';

/**
 * Logins that read marts without what `bi_reader` is given for it: rights come with a membership, settings do not.
 * Nothing fails, but a question that takes a fraction of a second takes many.
 */
export async function checkReaders(db: Database): Promise<Diagnosis[]> {
  const readers = await rowsOf<{ login: string; missing: string[] }>(db, selectReaders, [Object.keys(readingSettings)]);
  return readers.map(({ login, missing }) => {
    const statements = missing.map((name) => `alter role ${login} set ${name} = '${readingSettings[name]}';`);
    return warning(
      'readers',
      `${login} reads marts without settings that bi_reader has, so some questions take many times as long; ` +
        `for its next log-in: ${statements.join(' ')}`,
    );
  });
}

/** A setting counts wherever it is set: for the role, the database, both, all roles, or in the server's files. */
const selectReaders = `
  select quote_ident(r.rolname) as login, array_agg(wanted.name order by wanted.place) as missing
  from pg_roles r
  cross join unnest($1::text[]) with ordinality as wanted (name, place)
  where r.rolcanlogin and not r.rolsuper
    and has_schema_privilege(r.oid, 'marts', 'usage') and not has_schema_privilege(r.oid, 'marts', 'create')
    and not exists (
      select from pg_db_role_setting s cross join unnest(s.setconfig) as c (setting)
      where s.setrole in (0, r.oid) and s.setdatabase in (0, (select oid from pg_database where datname = current_database()))
        and split_part(c.setting, '=', 1) = wanted.name)
    and not exists (
      select from pg_settings where pg_settings.name = wanted.name and source in ('configuration file', 'command line'))
  group by r.rolname order by r.rolname`;
