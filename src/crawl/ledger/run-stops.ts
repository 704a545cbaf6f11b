import type { Queryable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { stopReason } from '../../db/tables/stop.ts';

export type StopReason = (typeof stopReason.enumValues)[number];

/** Why a run is paused: a code for programs, and a message for people. */
export interface RunStop {
  readonly reason: StopReason;
  readonly detail: string;
  readonly since: Date;
  readonly until: Date | null;
}

/** SQL: the stop `s` belongs to the run with this id. */
const isOf = (runId: string) => `s.scope = 'run' and s.scope_id = ${runId}::text`;

/** SQL on a run `r`: it is paused or being probed. */
export const isStopped = `exists (select from ops.stop s where ${isOf('r.run_id')})`;

/** SQL on a run `r`: its pause has not expired yet. */
export const isPausedAt = (now: string) =>
  `exists (select from ops.stop s where ${isOf('r.run_id')} and s.until > ${now})`;

/** SQL on a run `r`: it is paused or being probed, and that has not expired yet. */
export const isWaitingAt = (now: string) =>
  `exists (select from ops.stop s where ${isOf('r.run_id')} and greatest(s.until, s.probe_until) > ${now})`;

/** SQL: a column of a run's stop; null if it has none. `until` includes a probe in progress. */
export function stopOf(runId: string, column: 'reason' | 'detail' | 'until'): string {
  const value = column === 'until' ? 'greatest(s.until, s.probe_until)' : `s.${column}`;
  return `(select ${value} from ops.stop s where ${isOf(runId)})`;
}

/** SQL: ends the stops of the runs in the CTE `runs`. */
export const endStopOf = (runs: string) => `delete from ops.stop s using ${runs} where ${isOf(`${runs}.run_id`)}`;

/** SQL: a later stop of the same run replaces the earlier one and ends its probe. */
export const upsertStop = `
  on conflict (scope, scope_id) do update set
    reason = excluded.reason, detail = excluded.detail, since = excluded.since, until = excluded.until,
    probe_until = null`;

/** Pauses an open run that is fetching or finishing. A run that has moved to another phase is not paused. */
export async function stopRun(
  sql: Queryable,
  runId: number,
  { reason, detail, since, until }: RunStop,
  during: 'asking' | 'finishing' = 'asking',
): Promise<void> {
  await sql.query(
    `insert into ops.stop (scope, scope_id, reason, detail, since, until)
     select 'run', run_id, $2::ops.stop_reason, $3, $4::timestamptz, $5::timestamptz from ops.run
     where run_id = $1 and status = 'open' and (phase = 'finishing') = ($6 = 'finishing')
     for update
     ${upsertStop}`,
    [runId, reason, detail, since, until, during],
  );
}

export async function endStop(sql: Queryable, runId: number): Promise<void> {
  await sql.query(`delete from ops.stop s where ${isOf('$1::int')}`, [runId]);
}

/** Longer than any request: while one process probes, no other does. */
const probeMs = 90_000;

/**
 * Acquires the right to probe a run whose pause has expired; one process at a time has it. Returns its end; null if
 * another process has it.
 */
export async function beginProbe(sql: Queryable, runId: number, now: Date): Promise<Date | null> {
  const [probe] = await rowsOf<{ until: Date }>(
    sql,
    `update ops.stop s set probed_at = $2, probe_until = $2::timestamptz + $3::int * interval '1 ms'
     where ${isOf('$1::int')} and coalesce(greatest(s.until, s.probe_until) <= $2, true)
     returning probe_until as until`,
    [runId, now, probeMs],
  );
  return probe?.until ?? null;
}

/** Ends the pause after a probe. Returns false if the probe paused the run again. */
export async function endProbe(sql: Queryable, runId: number, until: Date): Promise<boolean> {
  return (
    (await countOf(sql, `delete from ops.stop s where ${isOf('$1::int')} and s.probe_until = $2`, [runId, until])) > 0
  );
}
