import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Columns } from './columns.ts';
import { putRows, removeRows } from './row-changes.ts';
import type { ReplayScope } from './scope.ts';

/** Tables that a replay does not change here: payloads, spend, quarantine, forecasts and payload profiles. */
const neverReplayed = ['ops.payload', 'ops.spend', 'ops.quarantine', 'ops.run_details', 'ops.payload_profile'];

/** Written by src/crawl/ledger/run-life.ts only. */
const ownWriter = 'ops.run';

/** Columns left by workers or by a later verification. */
const notOfTheReplay = ['place', 'worker_id', 'lease', 'attempts', 'not_before', 'verified_at', 'is_verified'];

/** Updates certificates, findings and pages of the replayed runs from the shadow. */
export async function applyLedger(sql: Queryable, { parts, runs }: ReplayScope, columns: Columns): Promise<void> {
  const isOfParts = (table: string): boolean =>
    table !== ownWriter &&
    !neverReplayed.includes(table) &&
    (columns.get(table)?.includes('run_id') ?? false) &&
    parts.includes(table === 'ops.detail_fetch' ? 'detail' : 'listing');
  const tables = [...(await keysOfTables(sql)).keys()].filter(isOfParts);
  const runIds = runs.map(({ runId }) => runId);
  for (const table of tables) await replaceLedgerRows(sql, columns, runIds, [table]);
}

/** Updates rows of runs from the shadow; `tables` lists parents before children. */
export async function replaceLedgerRows(
  sql: Queryable,
  columns: Columns,
  runIds: readonly number[],
  tables: readonly string[],
): Promise<void> {
  const isOfRuns = `s.run_id in (${runIds.join(', ')})`;
  const keys = await keysOfTables(sql);
  for (const table of [...tables].reverse())
    await removeRows(sql, table, keys.get(table)!, `select s.* from ${table} s where ${isOfRuns}`);
  for (const table of tables) {
    await putRows(sql, table, keys.get(table)!, columns, {
      where: isOfRuns,
      kept: notOfTheReplay,
      unordered: ['seen_keys', 'extra_keys', 'changed_keys'],
    });
  }
}

/** Primary keys of the tables in `ops`. */
async function keysOfTables(sql: Queryable): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsOf<{ table: string; key: string[] }>(
    sql,
    `select 'ops.' || c.relname as table, array_agg(a.attname::text order by a.attnum) as key
     from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relkind = 'r' and c.relnamespace = 'ops'::regnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where i.indisprimary
     group by c.oid
     order by 1`,
  );
  return new Map(rows.map(({ table, key }) => [table, key]));
}
