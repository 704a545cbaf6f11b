import type { Askable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { stopReason } from '../../db/tables/stop.ts';

export type StopReason = (typeof stopReason.enumValues)[number];

/** Why a run waits: a code for programs, and words for people. */
export interface RunStop {
  readonly reason: StopReason;
  readonly detail: string;
  readonly since: Date;
  readonly until: Date | null;
}

/** SQL: the stop `s` is that of the run with this id. */
const isOf = (runId: string) => `s.scope = 'run' and s.scope_id = ${runId}::text`;

/** SQL over a run `r`: it waits, or a probe finds out whether it still must. */
export const isStopped = `exists (select from ops.stop s where ${isOf('r.run_id')})`;

/** SQL over a run `r`: it waits, and nobody probes yet. */
export const isResting = (now: string) =>
  `exists (select from ops.stop s where ${isOf('r.run_id')} and s.until > ${now})`;

/** SQL: a column of the stop of a run; null: it has none. Until the end of a probe nobody else goes on with it. */
export function stopOf(runId: string, column: 'reason' | 'detail' | 'until'): string {
  const value = column === 'until' ? 'greatest(s.until, s.probe_until)' : `s.${column}`;
  return `(select ${value} from ops.stop s where ${isOf(runId)})`;
}

/** SQL: ends the stops of the runs of another part of the statement. */
export const endStopOf = (runs: string) => `delete from ops.stop s using ${runs} where ${isOf(`${runs}.run_id`)}`;

/** SQL: a later stop of the same run replaces it, and ends its probe. */
export const upsertStop = `
  on conflict (scope, scope_id) do update set
    reason = excluded.reason, detail = excluded.detail, since = excluded.since, until = excluded.until, probe_until = null`;

/** Stops an open run that is asking, or finishing. One that has gone on to another phase meanwhile is not stopped. */
export async function stopRun(
  sql: Askable,
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

export async function endStop(sql: Askable, runId: number): Promise<void> {
  await sql.query(`delete from ops.stop s where ${isOf('$1::int')}`, [runId]);
}

/** Longer than any request takes: while one process probes, no other does. */
const probeMs = 90_000;

/**
 * The right to ask once for a run whose wait is over, to see whether what it waited for is there: one of all processes
 * has it. Null: another one has.
 */
export async function beginProbe(sql: Askable, runId: number, now: Date): Promise<Date | null> {
  const [probe] = await rowsOf<{ until: Date }>(
    sql,
    `update ops.stop s set probed_at = $2, probe_until = $2::timestamptz + $3::int * interval '1 ms'
     where ${isOf('$1::int')} and coalesce(greatest(s.until, s.probe_until) <= $2, true)
     returning probe_until as until`,
    [runId, now, probeMs],
  );
  return probe?.until ?? null;
}

/** The run goes on, unless the probe stopped it again. Says whether it goes on. */
export async function endProbe(sql: Askable, runId: number, until: Date): Promise<boolean> {
  return (
    (await countOf(sql, `delete from ops.stop s where ${isOf('$1::int')} and s.probe_until = $2`, [runId, until])) > 0
  );
}
