import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Columns } from './columns.ts';
import { keptTables, rowsAt } from './rewind.ts';
import type { ReplayScope } from './scope.ts';

/** Schemas with rows replaced by replays, oldest first: `catalog_old_1`, … */
export async function listOldCopies(sql: Queryable): Promise<string[]> {
  const rows = await rowsOf<{ name: string }>(
    sql,
    `select nspname as name
     from pg_namespace
     where nspname ~ '^catalog_old_[0-9]+$'
     order by substring(nspname from '[0-9]+$')::int`,
  );
  return rows.map(({ name }) => name);
}

/** Drops the given copies, or all; returns their names. */
export async function dropOldCopies(db: Database, copies?: readonly string[]): Promise<readonly string[]> {
  const schemas = copies ?? (await listOldCopies(db));
  for (const schema of schemas) await db.query(`drop schema if exists ${schema} cascade`);
  return schemas;
}

interface OldCopy {
  readonly schema: string;
  /** Drops the copy if there was nothing to keep. */
  drop(): Promise<void>;
}

/**
 * Copies the rows that a replay will replace, and the replayed runs with their certificates, into a new schema. Rows
 * that ended before the first replayed night are omitted: no replay changes them.
 */
export async function keepOldCopy(tx: Transaction, scope: ReplayScope, columns: Columns): Promise<OldCopy> {
  const last = (await listOldCopies(tx)).at(-1);
  const schema = `catalog_old_${last === undefined ? 1 : Number(last.slice('catalog_old_'.length)) + 1}`;
  await tx.query(`create schema ${schema}`);
  const enums = await enumColumns(tx);
  for (const { name } of keptTables.filter(({ part }) => scope.parts.includes(part))) {
    await tx.query(
      `create table ${schema}.${name} as
       select ${plain(`catalog.${name}`)}
       from (${rowsAt(name, columns, 'until_at')}) as x`,
    );
  }
  const runIds = scope.runs.map(({ runId }) => runId).join(', ');
  for (const name of ['run', 'certificate']) {
    await tx.query(
      `create table ${schema}.${name} as select ${plain(`ops.${name}`)} from ops.${name} x where run_id in (${runIds})`,
    );
  }
  const first = scope.runs[0]!.snapshotDate;
  const end = scope.runs.at(-1)!.snapshotDate;
  const regions = scope.windows.map(({ region }) => region).join(' and ');
  await tx.query(`comment on schema ${schema} is 'What a replay of ${regions} from ${first} to ${end} replaced.'`);
  return { schema, drop: async () => void (await tx.query(`drop schema ${schema} cascade`)) };

  /** Casts enums to text, so that a copy does not block a migration that changes a type. */
  function plain(table: string): string {
    return columns
      .get(table)!
      .map((column) => (enums.has(`${table}.${column}`) ? `x.${column}::text` : `x.${column}`))
      .join(', ');
  }
}

async function enumColumns(sql: Queryable): Promise<Set<string>> {
  const rows = await rowsOf<{ name: string }>(
    sql,
    `select c.relnamespace::regnamespace::text || '.' || c.relname || '.' || a.attname as name
     from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid
     where t.typtype = 'e' and c.relkind = 'r' and c.relnamespace in ('catalog'::regnamespace, 'ops'::regnamespace)`,
  );
  return new Set(rows.map(({ name }) => name));
}
