import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as runMigrations } from 'drizzle-orm/node-postgres/migrator';
import { ConfigInvalid, SchemaMovedOn, SchemaTooNew } from '../errors.ts';
import { applyViews, areViewsApplied, ownViewSources, type ViewSources } from './apply-views.ts';
import type { Askable, Database, Transaction } from './client.ts';
import { codeOf, isTransient, rootOf } from './connection-error.ts';
import { refuseTransactionPooling } from './connection-pooling.ts';
import { type DbLog, silentLog } from './db-log.ts';
import { grantReader } from './reader-role.ts';
import { checkServerVersion } from './server-version.ts';

export interface MigrateOptions {
  /** drizzle-kit's output; by default the program's own `migrations`. */
  readonly migrationsFolder?: string;
  /** What goes into `marts`; by default the files of `views`. */
  readonly views?: ViewSources;
  readonly log?: DbLog;
}

/** What was done: migrations applied, and whether the views were renewed. */
export interface MigrateResult {
  readonly applied: number;
  readonly hasNewViews: boolean;
}

/** Any number, the same in every version of the program: "book". */
const migrationLock = 0x626f6f6b;
/** A migration that waits for a table makes every later reader of it wait too; so it waits briefly, and often. */
const lockTimeoutMs = 2_000;
const lockAttempts = 30;

const ownMigrations = fileURLToPath(new URL('../../migrations/', import.meta.url));

/**
 * Brings the schema to what this program knows: migrations, views, the reader's role. Any number of processes may call it at
 * once. Throws `SchemaTooNew` and changes nothing when a newer program was here, `ConfigInvalid` when the user may not
 * create, `ViewsBlocked` when a view of others stands in the way.
 */
export async function migrate(db: Database, options: MigrateOptions = {}): Promise<MigrateResult> {
  const { migrationsFolder = ownMigrations, views = ownViewSources(), log = silentLog } = options;
  const known = migrationsFolder === ownMigrations ? readOwnJournal() : readJournal(migrationsFolder);
  await checkServerVersion(db, log);
  await refuseTransactionPooling(db);
  try {
    // The usual case, at the start of every command: nothing to do, so no lock.
    const state = await db.tx((tx) => readSchemaState(tx, known, views), { readOnly: true });
    if (state.pending === 0 && state.areViewsCurrent) return { applied: 0, hasNewViews: false };

    const applied = state.pending === 0 ? 0 : await applyPending(db, migrationsFolder, known, views);
    const hasNewViews = await db.tx((tx) => renewViews(tx, known, views, log), {
      lockTimeoutMs,
      attempts: lockAttempts,
    });
    return { applied, hasNewViews };
  } catch (error) {
    if (codeOf(error) !== '42501') throw error;
    throw new ConfigInvalid([
      `DATABASE_URL: its user may not set up the schema (${(rootOf(error) as Error).message}); its owner can allow it: grant create on database … to …`,
    ]);
  }
}

/** What `migrate` would do, without doing it. Throws as it would. */
export async function readPending(db: Database): Promise<MigrateResult> {
  await checkServerVersion(db);
  await refuseTransactionPooling(db);
  const state = await db.tx((tx) => readSchemaState(tx, readOwnJournal(), ownViewSources()), {
    readOnly: true,
  });
  return { applied: state.pending, hasNewViews: !state.areViewsCurrent };
}

/** Tells a schema from one that was made anew in its place; null: there is none. */
export async function readSchemaPlace(sql: Askable): Promise<string | null> {
  const { rows } = await sql.query<{ place: string | null }>(
    `select to_regclass('drizzle.__drizzle_migrations')::oid::text as place`,
  );
  return rows[0]!.place;
}

/** Whether a newer program has migrated the database since; one short question, for processes that run long. */
export async function findNewerSchema(sql: Askable): Promise<SchemaMovedOn | null> {
  const known = readOwnJournal();
  const { rows } = await sql.query<{ found: number; newest: number | null }>(
    'select count(*)::int as found, max(created_at) as newest from drizzle.__drizzle_migrations',
  );
  const { found, newest } = rows[0]!;
  return newest !== null && newest > (known.at(-1)?.when ?? 0) ? new SchemaMovedOn(found, known.length) : null;
}

interface Migration {
  /** When it was generated, milliseconds: drizzle's order and key. */
  readonly when: number;
}

interface SchemaState {
  readonly pending: number;
  readonly areViewsCurrent: boolean;
}

function readJournal(folder: string): readonly Migration[] {
  const path = join(folder, 'meta', '_journal.json');
  if (!existsSync(path)) return [];
  const { entries } = JSON.parse(readFileSync(path, 'utf8')) as { entries: Migration[] };
  return entries;
}

let own: readonly Migration[] | null = null;

/** As it was when the program was started: an update may replace the files under it. */
function readOwnJournal(): readonly Migration[] {
  own ??= readJournal(ownMigrations);
  return own;
}

/** How far the database is. A migration newer than all we know was made by a newer program. */
async function readSchemaState(tx: Askable, known: readonly Migration[], views: ViewSources): Promise<SchemaState> {
  const newest = known.at(-1)?.when ?? 0;
  const found = await appliedMigrations(tx);
  if (found.some((when) => when > newest)) throw new SchemaTooNew(found.length, known.length);
  const last = found.at(-1) ?? -1;
  return {
    pending: known.filter(({ when }) => when > last).length,
    areViewsCurrent: views.statements.length === 0 || (await areViewsApplied(tx, views)),
  };
}

async function appliedMigrations(tx: Askable): Promise<number[]> {
  const { rows } = await tx.query<{ found: boolean }>(
    `select to_regclass('drizzle.__drizzle_migrations') is not null as found`,
  );
  if (!rows[0]?.found) return [];
  const applied = await tx.query<{ when: number }>(
    'select created_at as "when" from drizzle.__drizzle_migrations order by created_at',
  );
  return applied.rows.map(({ when }) => when);
}

/** drizzle's migrator, all in one transaction, on a connection that holds the lock. Returns how many were applied. */
async function applyPending(
  db: Database,
  migrationsFolder: string,
  known: readonly Migration[],
  views: ViewSources,
): Promise<number> {
  return await db.withClient(async (client) => {
    await client.query(`set lock_timeout = ${lockTimeoutMs}`);
    await againWhileLocked(() => client.query('select pg_advisory_lock($1)', [migrationLock]));
    try {
      // Somebody else may have been first while we waited.
      const { pending } = await readSchemaState(client, known, views);
      if (pending > 0) await againWhileLocked(() => runMigrations(drizzle({ client }), { migrationsFolder }));
      return pending;
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]);
      await client.query('reset lock_timeout');
    }
  });
}

async function renewViews(
  tx: Transaction,
  known: readonly Migration[],
  views: ViewSources,
  log: DbLog,
): Promise<boolean> {
  await tx.query('select pg_advisory_xact_lock($1)', [migrationLock]);
  const { areViewsCurrent } = await readSchemaState(tx, known, views);
  if (areViewsCurrent) return false;
  await applyViews(tx, views);
  await grantReader(tx, log);
  return true;
}

async function againWhileLocked<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || attempt >= lockAttempts) throw error;
      await sleep(100);
    }
  }
}
