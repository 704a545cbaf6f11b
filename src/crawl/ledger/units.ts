import type pg from 'pg';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { isWaitingAt } from './run-stops.ts';
import { isUnleased } from './workers.ts';

/** Fields common to all claimed units. */
export interface Claim {
  /** Claim number: each claim raises it, and a write with an earlier one fails. */
  readonly lease: number;
  /** Attempts so far, including this one. */
  readonly attempts: number;
}

/** Table that holds units of work. */
interface UnitTable<Unit> {
  readonly table: 'ops.category_page' | 'ops.detail_fetch';
  /** Columns that identify a unit within its run, in claim order. */
  readonly key: readonly KeyColumn<Unit>[];
  /** SQL joins on the claimed units `u`, for use in `columns`. */
  readonly joined?: string;
  /** SQL by field: values that a claim returns in addition to the key. */
  readonly columns?: Readonly<Record<string, string>>;
}

interface KeyColumn<Unit> {
  readonly column: string;
  readonly field: keyof Unit & string;
  readonly type: 'int' | 'text';
}

/** Selection of a run's units for a claim. */
export interface Wanted<Unit> {
  readonly runId: number;
  readonly workerId: string;
  readonly limit: number;
  /** Last unit of the previous claim: only units after it are claimed. Null: all. */
  readonly after: Unit | null;
  /** SQL condition on units `u`. */
  readonly where?: string;
  /** Nothing is claimed in another state. */
  readonly asOf?: AsOf;
}

/** State in which a run still has to be, and unpaused; by default that is not checked. */
export interface AsOf {
  readonly epoch: number;
  readonly phase: string;
  readonly now: Date;
}

/** SQL on the run `$1`: it is as `$2`, `$3` and `$4` say. */
const isAsOf = `($2::int is null or exists (
  select from ops.run r
  where r.run_id = $1 and r.status = 'open' and r.epoch = $2 and r.phase = $3 and not ${isWaitingAt('$4')}))`;

const valuesOf = (asOf: AsOf | undefined) => [asOf?.epoch ?? null, asOf?.phase ?? null, asOf?.now ?? null];

/** Counts of unfinished units. */
export interface Left {
  /** Whether the run is as it has to be. */
  readonly isAsOf: boolean;
  readonly units: number;
  /** Milliseconds until the first unclaimed unit may be claimed; null if all are claimed. */
  readonly freeInMs: number | null;
}

/** Operations on claimed units of one table. A claim is valid as long as its worker lives (workers.ts). */
export function unitsOf<Unit extends Claim>({ table, key, joined = '', columns = {} }: UnitTable<Unit>) {
  const names = key.map(({ column }) => `u.${column}`).join(', ');
  const returned = [
    ...key.map(({ column, field }) => `u.${column} as "${field}"`),
    ...Object.entries(columns).map(([field, sql]) => `${sql} as "${field}"`),
    'u.lease, u.attempts + 1 as attempts',
  ].join(', ');
  /** SQL: the unit with its claim number; values start at `$first`. */
  const isOurs = (first: number) =>
    ['run_id', ...key.map(({ column }) => column), 'lease'].map((name, i) => `${name} = $${first + i}`).join(' and ');
  const oursOf = (runId: number, unit: Unit) => [runId, ...key.map(({ field }) => unit[field]), unit.lease];
  const given = [...key, { column: 'lease', field: 'lease', type: 'int' }] as const;

  return {
    nameOf: (unit: Unit): string => key.map(({ field }) => unit[field]).join(' '),

    /** Claims units that are planned, free and not resting, in key order. */
    async claim(
      sql: Queryable,
      { runId, workerId, limit, after, where = 'true', asOf }: Wanted<Unit>,
    ): Promise<Unit[]> {
      const cursor = key.map(({ type }, i) => `$${i + 7}::${type}`).join(', ');
      return rowsOf<Unit & pg.QueryResultRow>(
        sql,
        `with u as (
           update ${table} set worker_id = $5, lease = lease + 1
           where ctid = any (array(
             select u.ctid from ${table} u
             where u.run_id = $1 and u.status = 'planned' and u.worker_id is null
               and (u.not_before is null or u.not_before <= clock_timestamp())
               and (${names}) > (${cursor}) and ${where}
               and ${isAsOf}
             order by ${names}
             limit $6 for update skip locked))
           returning *
         )
         select ${returned} from u ${joined} order by ${names}`,
        [
          runId,
          ...valuesOf(asOf),
          workerId,
          limit,
          ...key.map(({ field, type }) => after?.[field] ?? (type === 'int' ? -1 : '')),
        ],
      );
    },

    /** Counts the units that are neither done nor failed. */
    async left(sql: Queryable, runId: number, where = 'true', asOf?: AsOf): Promise<Left> {
      const [left] = await rowsOf<Left & pg.QueryResultRow>(
        sql,
        `select ${isAsOf} as "isAsOf", count(*)::int as units,
           (min(greatest(0, coalesce(extract(epoch from not_before - clock_timestamp()), 0) * 1000))
             filter (where worker_id is null))::float8 as "freeInMs"
         from ${table} u where run_id = $1 and status = 'planned' and ${where}`,
        [runId, ...valuesOf(asOf)],
      );
      return left!;
    },

    /**
     * Releases units of workers whose heartbeat has expired. `own`: also those that this worker left behind when its
     * database was unreachable.
     */
    async freeDead(sql: Queryable, runId: number, workerId: string, { own = false } = {}): Promise<void> {
      await sql.query(
        `update ${table} u set worker_id = null
         where run_id = $1 and status = 'planned' and worker_id is not null
           and case when worker_id = $2 then $3 else ${isUnleased} end`,
        [runId, workerId, own],
      );
    },

    /**
     * Releases an unfinished unit with a delay. `costsAttempt` is false if the unit itself did not fail (a limit, a
     * shutdown).
     */
    async release(
      sql: Queryable,
      runId: number,
      unit: Unit,
      { costsAttempt, why, restMs }: { readonly costsAttempt: boolean; readonly why: string; readonly restMs: number },
    ): Promise<void> {
      await sql.query(
        `update ${table}
         set worker_id = null, error = $1, attempts = attempts + case when $2 then 1 else 0 end,
           not_before = clock_timestamp() + $3::float8 * interval '1 ms'
         where status = 'planned' and ${isOurs(4)}`,
        [why, costsAttempt, restMs, ...oursOf(runId, unit)],
      );
    },

    /** Releases units that were not requested. */
    async giveBack(sql: Queryable, runId: number, units: readonly Unit[]): Promise<void> {
      if (units.length === 0) return;
      const fields = given.map(({ column, type }) => `${column} ${type}`).join(', ');
      await sql.query(
        `update ${table} u set worker_id = null
         from jsonb_to_recordset($2::jsonb) as given (${fields})
         where u.run_id = $1 and u.status = 'planned'
           and ${given.map(({ column }) => `u.${column} = given.${column}`).join(' and ')}`,
        [
          runId,
          JSON.stringify(
            units.map((unit) => Object.fromEntries(given.map((g) => [g.column, unit[g.field as keyof Unit]]))),
          ),
        ],
      );
    },

    /** Marks a unit as failed for this run. */
    async fail(sql: Queryable, runId: number, unit: Unit, why: string): Promise<void> {
      await sql.query(
        `update ${table} set status = 'failed', worker_id = null, error = $1, attempts = attempts + 1
         where status = 'planned' and ${isOurs(2)}`,
        [why, ...oursOf(runId, unit)],
      );
    },
  };
}

export type Units<Unit extends Claim> = ReturnType<typeof unitsOf<Unit>>;
