import type { Database, Queryable, Transaction } from './client.ts';
import { codeOf } from './connection-error.ts';
import type { DbLog } from './db-log.ts';

/** Role that may only read `marts`. It belongs to the whole server; an administrator gives it LOGIN and a password. */
const role = 'bi_reader';

/**
 * Session settings for reading marts: joins of a night in memory, without JIT. Some views join eight tables, so up to
 * twelve are planned together; otherwise a further table would be joined to all of their rows. From twelve on,
 * PostgreSQL's `geqo` takes over, because planning sixteen tables exhaustively takes too long. Scans stay
 * parallel although one process counts all rows.
 */
export const readingSettings: Readonly<Record<string, string>> = {
  lock_timeout: '2s',
  work_mem: '64MB',
  jit: 'off',
  join_collapse_limit: '12',
  from_collapse_limit: '12',
  parallel_tuple_cost: '0.01',
};

/** Limits for readers, because a forgotten session holds back vacuum. */
const roleSettings: Readonly<Record<string, string>> = {
  default_transaction_read_only: 'on',
  statement_timeout: '30s',
  idle_in_transaction_session_timeout: '60s',
  ...readingSettings,
};

/**
 * A URL whose sessions are read-only, with the role where they may take it on, as psql and other clients of libpq
 * understand it. It keeps its user's password, so it guards against mistakes, not against people.
 */
export function readerUrl(databaseUrl: string, isReader: boolean, more: Readonly<Record<string, string>> = {}): string {
  const [place, search = ''] = databaseUrl.split('?', 2);
  const settings = { ...(isReader && { role }), ...roleSettings, ...more };
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const parameters = new URLSearchParams(search);
  parameters.set('options', [parameters.get('options') ?? '', ...options].join(' ').trim());
  // libpq takes a plus sign for itself.
  return `${place}?${parameters.toString().replaceAll('+', '%20')}`;
}

/** Whether the user of these connections may take on the role. */
export async function mayActAsReader(db: Pick<Database, 'tx'>): Promise<boolean> {
  try {
    await db.tx((tx) => tx.query(`set local role ${role}`));
    return true;
  } catch (error) {
    // 22023: there is no such role; 42501: it may not be taken on.
    if (['22023', '42501'].includes(codeOf(error) ?? '')) return false;
    throw error;
  }
}

/** Whether the role exists and may read `marts`. */
export async function readsMarts(db: Queryable): Promise<boolean> {
  const granted = `select from pg_roles where rolname = $1 and has_schema_privilege(oid, 'marts', 'usage')`;
  return (await db.query(granted, [role])).rows.length > 0;
}

/** Makes the role if it may, and lets it read what is in `marts` now. Otherwise warns what to run, and goes on. */
export async function grantReader(tx: Transaction, log: DbLog): Promise<void> {
  for (const statement of await missingIn(tx)) await tx.query(ifAllowed(statement));
  const missing = await missingIn(tx);
  if (missing.length > 0)
    log.warn(
      {},
      `the role ${role}, which reads marts, is not complete, because the user of DATABASE_URL lacks CREATEROLE. ` +
        `A superuser can run: ${missing.join('; ')}; then run \`pricebook migrate\``,
    );
  if (missing.includes(creation)) return;
  await tx.query(`grant usage on schema marts to ${role}`);
  await tx.query(`grant select on all tables in schema marts to ${role}`);
  await tx.query(`grant execute on all functions in schema marts to ${role}`);
}

const creation = `create role ${role} nologin`;

/** Statements that make the role as it should be; none for what is so, because two databases may migrate at once. */
async function missingIn(tx: Transaction): Promise<string[]> {
  const { rows } = await tx.query<{ settings: string[] | null }>(
    'select rolconfig as settings from pg_roles where rolname = $1',
    [role],
  );
  const settings = rows[0]?.settings ?? [];
  return [
    ...(rows[0] ? [] : [creation]),
    ...Object.entries(roleSettings)
      .filter(([name, value]) => !settings.includes(`${name}=${value}`))
      .map(([name, value]) => `alter role ${role} set ${name} = '${value}'`),
  ];
}

/** A statement for which the privilege may be missing, or which another process may run at the same time. */
const ifAllowed = (statement: string): string => `
  do $$ begin
    ${statement};
  exception
    -- The last one: "tuple concurrently updated".
    when insufficient_privilege or undefined_object or duplicate_object or unique_violation or internal_error then null;
  end $$`;
