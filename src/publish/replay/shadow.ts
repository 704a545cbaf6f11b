import { RunRefused } from '../../base/errors.ts';
import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { codeOf } from '../../db/connection-error.ts';
import { holdLock } from '../../db/hold-lock.ts';
import { rowsOf } from '../../db/rows.ts';
import { ownSchema } from '../../db/schema-sources.ts';
import { type Columns, readColumns, selected } from './columns.ts';
import { inShadow } from './in-shadow.ts';
import { keepKeys } from './kept-keys.ts';
import { keptTables, rowsAt } from './rewind.ts';
import type { ReplayScope } from './scope.ts';
import { shadowSchemas, toShadow } from './shadow-names.ts';

/** Allows one replay at a time, because all replays use the same schemas. */
export function holdShadow<Result>(db: Database, work: () => Promise<Result>): Promise<Result> {
  return holdLock(db, 'pricebook replay', work, {
    onTaken() {
      throw new RunRefused('Another replay is running. Wait until it has ended; nothing was changed.');
    },
  });
}

/** Tables that replays read but never write; the shadow has views of them. */
const sharedTables = ['catalog.region', 'ops.spend', 'ops.stop'];

/**
 * Creates the shadow: separate schemas in the same database, with the catalogue just before the first replayed run and
 * the ledger of earlier runs. Returns a database in which `catalog.product` is the shadow's.
 */
export async function openShadow(db: Database, scope: ReplayScope): Promise<Database> {
  await dropShadow(db);
  try {
    await db.tx((tx) => makeShadow(tx, scope));
  } catch (error) {
    // 42501 insufficient_privilege
    if (codeOf(error) !== '42501') throw error;
    throw new RunRefused(
      `A replay creates schemas, which the user of DATABASE_URL may not do (${(error as Error).message}). ` +
        'Replay as the owner of the database.',
    );
  }
  await analyze(db);
  return inShadow(db);
}

async function makeShadow(tx: Transaction, scope: ReplayScope): Promise<void> {
  const columns = await readColumns(tx);
  await createTables(tx, columns);
  await keepWindows(tx, scope);
  await fillCatalogue(tx, columns, scope);
  await fillLedger(tx, columns);
  for (const statement of ownSchema().views) await tx.query(toShadow(statement));
  await keepKeys(tx);
}

/** Drops the shadow, including one that a killed replay left behind. */
export async function dropShadow(db: Queryable): Promise<void> {
  await db.query(`drop schema if exists ${Object.values(shadowSchemas).join(', ')} cascade`);
}

async function createTables(tx: Transaction, columns: Columns): Promise<void> {
  for (const schema of Object.values(shadowSchemas)) await tx.query(`create schema ${schema}`);
  for (const name of columns.keys()) {
    if (sharedTables.includes(name)) await tx.query(`create view ${toShadow(name)} as select * from ${name}`);
    else await tx.query(`create table ${toShadow(name)} (like ${name} including all)`);
  }
  await tx.query('create sequence ops_replay.change_seq');
  await tx.query('create table ops_replay.reread (run_id int not null, payload_sha256 bytea not null)');
}

async function keepWindows(tx: Transaction, { windows, runs }: ReplayScope): Promise<void> {
  await tx.query('create table ops_replay.replayed_run (run_id int primary key)');
  await tx.query('insert into ops_replay.replayed_run select unnest($1::int[])', [runs.map(({ runId }) => runId)]);
  await tx.query(
    `create table ops_replay.replay_window (region text primary key, from_at timestamptz not null,
       until_at timestamptz not null)`,
  );
  await tx.query(
    `insert into ops_replay.replay_window select region, from_at, coalesce(until_at, 'infinity')
     from unnest($1::text[], $2::timestamptz[], $3::timestamptz[]) as w (region, from_at, until_at)`,
    [windows.map((w) => w.region), windows.map((w) => w.fromAt), windows.map((w) => w.untilAt)],
  );
}

async function fillCatalogue(tx: Transaction, columns: Columns, { parts }: ReplayScope): Promise<void> {
  const filled = keptTables.filter(({ part }) => parts.includes(part));
  for (const { name } of filled) {
    await tx.query(
      `insert into catalog_replay.${name} (${columns.get(`catalog.${name}`)!.join(', ')}) overriding system value
       ${rowsAt(name, columns, 'from_at')}`,
    );
  }
  // Details reference products, whenever those were first listed.
  if (!parts.includes('listing')) {
    await tx.query(
      `insert into catalog_replay.product overriding system value
       select x.* from catalog.product x join ops_replay.replay_window using (region)`,
    );
  }
}

/** Tables of the ledger that each run fills itself. */
const filledByRun = ['ops.category_crawl', 'ops.category_page', 'ops.detail_fetch', 'ops.quarantine', 'ops.payload'];

/** Copies earlier runs of the regions with their evidence. */
async function fillLedger(tx: Transaction, columns: Columns): Promise<void> {
  const ofRuns = [...columns].filter(
    ([name, own]) =>
      name.startsWith('ops.') && own.includes('run_id') && ![...filledByRun, ...sharedTables].includes(name),
  );
  for (const [name, own] of ofRuns) {
    await tx.query(
      `insert into ${toShadow(name)} (${own.join(', ')}) overriding system value
       select ${selected(own, 'x')}
       from ${name} x join ops.run r using (run_id) join ops_replay.replay_window w on w.region = r.region
       where r.observed_at < w.from_at`,
    );
  }
}

async function analyze(db: Database): Promise<void> {
  const tables = await rowsOf<{ name: string }>(
    db,
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = any($1)`,
    [Object.values(shadowSchemas)],
  );
  if (tables.length > 0) await db.query(`analyze ${tables.map(({ name }) => name).join(', ')}`);
}
