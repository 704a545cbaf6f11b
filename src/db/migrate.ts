import { ConfigInvalid, Refused } from '../base/errors.ts';
import { type Applied, isAnyStale, replaceObjects } from './apply-objects.ts';
import type { Database, Queryable, Transaction } from './client.ts';
import { codeOf, rootOf } from './connection-error.ts';
import { refuseTransactionPooling } from './connection-pooling.ts';
import { type DbLog, silentLog } from './db-log.ts';
import { grantReader } from './reader-role.ts';
import { camelRows } from './rows.ts';
import { ownSchema, type SchemaSources } from './schema-sources.ts';

interface MigrateOptions {
  /** By default the program's own. */
  readonly schema?: SchemaSources;
  readonly log?: DbLog;
}

/** What a migration does: make the schema, replace functions and views, or nothing. */
interface MigrateResult {
  readonly isNew: boolean;
  readonly hasNewObjects: boolean;
}

/** An arbitrary number ("book"), the same in every version of the program. */
const migrationLock = 0x626f6f6b;
/** A statement that waits for a table makes later readers of the table wait too, so it waits briefly and retries. */
const lockTimeoutMs = 2_000;
const lockAttempts = 30;

/**
 * Makes the schema in an empty database, and replaces functions and views whose sources have changed. Any number of
 * processes may call it at once. Throws `Refused` when another version made the schema or a view of others depends on
 * one of ours, and `ConfigInvalid` when the user may not create; both change nothing.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<MigrateResult> {
  const { schema = ownSchema(), log = silentLog } = options;
  await refuseTransactionPooling(db);
  try {
    // At the start of every command there is usually nothing to do, so no lock is taken.
    const pending = await db.tx((tx) => readPendingIn(tx, schema), { readOnly: true });
    if (!pending.isNew && !pending.hasNewObjects) return pending;
    return await db.tx((tx) => apply(tx, schema, log), { lockTimeoutMs, attempts: lockAttempts });
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    throw new ConfigInvalid([
      `DATABASE_URL: its user may not set up the schema (${(rootOf(error) as Error).message}); ` +
        'its owner can allow it: grant create on database … to …',
    ]);
  }
}

/** What `migrate` would do. Throws what it would throw. */
export async function readPending(db: Database): Promise<MigrateResult> {
  await refuseTransactionPooling(db);
  return await db.tx((tx) => readPendingIn(tx, ownSchema()), { readOnly: true });
}

interface SchemaState {
  readonly baselineHash: string;
  readonly objects: Applied;
}

/** Null: nothing of ours is in the database. */
async function readState(sql: Queryable, schema: SchemaSources): Promise<SchemaState | null> {
  const [ops] = await camelRows<{ hasState: boolean }>(sql, findState);
  if (!ops) return null;
  const [state] = ops.hasState ? await camelRows<SchemaState>(sql, selectState) : [];
  if (state?.baselineHash !== schema.baselineHash) {
    const [theirs, ours] = [state?.baselineHash.slice(0, 8) ?? 'unknown', schema.baselineHash.slice(0, 8)];
    throw new Refused(
      78,
      `The database has the schema of another version of Pricebook (${theirs}, this one needs ${ours}), and schemas ` +
        'are not converted before version 1.0. Run the version that created it, use a new database with another ' +
        'DATABASE_URL or PRICEBOOK_HOME, or empty this one with `pricebook reset`. Nothing was changed.',
    );
  }
  return state;
}

/**
 * Reads the catalogue itself: to_regclass may answer from a cache that is older than a lock this transaction waited
 * for.
 */
const findState = `
  select exists (select from pg_class c where c.relnamespace = n.oid and c.relname = 'schema_state') as has_state
  from pg_namespace n where n.nspname = 'ops'`;

const selectState = `select baseline_hash, objects from ops.schema_state`;

async function readPendingIn(sql: Queryable, schema: SchemaSources): Promise<MigrateResult> {
  const state = await readState(sql, schema);
  return { isNew: state === null, hasNewObjects: isAnyStale(schema.objects, state?.objects ?? {}) };
}

async function apply(tx: Transaction, schema: SchemaSources, log: DbLog): Promise<MigrateResult> {
  // Where there is a book already, the lock is one that its readers cannot take.
  const isThere = (await camelRows<{ hasState: boolean }>(tx, findState))[0]?.hasState === true;
  if (isThere) await tx.query('lock table ops.schema_state in exclusive mode');
  else await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  const state = await readState(tx, schema);
  // Another process may have done it while this one waited for the lock.
  if (state && !isAnyStale(schema.objects, state.objects)) return { isNew: false, hasNewObjects: false };
  if (state === null) {
    for (const statement of [...schema.baseline, ...schema.seeds]) await tx.query(statement);
    await tx.query(createState);
  }
  await tx.query('create schema if not exists marts');
  const objects = await replaceObjects(tx, schema.objects, state?.objects ?? {});
  await tx.query(
    `insert into ops.schema_state (baseline_hash, objects) values ($1, $2)
     on conflict (one) do update set objects = excluded.objects, applied_at = excluded.applied_at`,
    [schema.baselineHash, JSON.stringify(objects)],
  );
  await grantReader(tx, log);
  return { isNew: state === null, hasNewObjects: true };
}

/** Which baseline made the tables, and which functions and views were applied last. */
const createState = `
  create table ops.schema_state (
    one boolean primary key default true check (one),
    baseline_hash text not null,
    objects jsonb not null,
    applied_at timestamptz not null default now()
  )`;
