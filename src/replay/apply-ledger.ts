import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { foldings } from '../ledger/folded.ts';
import type { Columns } from './columns.ts';
import { putRows, removeRows } from './row-changes.ts';
import type { ReplayScope } from './scope.ts';

/** What was received, spent and set aside: a replay reads it and changes none of it here. */
const neverReplayed = ['ops.payload', 'ops.spend', 'ops.quarantine', ...foldings.map(({ fold }) => fold)];

/** Left by workers on their units of work, or said by a later examination. */
const notOfTheReplay = ['batch_no', 'worker_id', 'lease', 'attempts', 'queued_at', 'verified_at', 'is_verified'];

/** Brings verdicts, certificates, findings, figures and pages of the replayed runs to what the replay found. */
export async function applyLedger(sql: Askable, { parts, runs }: ReplayScope, columns: Columns): Promise<void> {
  const isReplayed = `s.run_id in (${runs.map(({ runId }) => runId).join(', ')})`;
  for (const { table, key } of await keyedTables(sql)) {
    const own = columns.get(table);
    const isOfDetails = table === 'ops.detail_fetch';
    if (
      !own?.includes('run_id') ||
      neverReplayed.includes(table) ||
      !parts.includes(isOfDetails ? 'detail' : 'listing')
    ) {
      continue;
    }
    if (table !== 'ops.run') await removeRows(sql, table, key, `select s.* from ${table} s where ${isReplayed}`);
    await putRows(sql, table, key, columns, {
      where: isReplayed,
      kept: notOfTheReplay,
      unordered: ['seen_keys', 'extra_keys', 'changed_keys'],
    });
  }
}

/** Tables of the ledger with their primary keys. */
async function keyedTables(sql: Askable): Promise<{ table: string; key: string[] }[]> {
  return rowsOf(
    sql,
    `select 'ops.' || c.relname as table, array_agg(a.attname::text order by a.attnum) as key
     from pg_index i
     join pg_class c on c.oid = i.indrelid and c.relkind = 'r' and c.relnamespace = 'ops'::regnamespace
     join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
     where i.indisprimary
     group by c.oid
     order by 1`,
  );
}
