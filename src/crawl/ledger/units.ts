import type pg from 'pg';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** What every claimed unit of work has. */
export interface Claim {
  /** The fencing token: each claim raises it, and a write under an earlier one fails. */
  readonly lease: number;
  /** How often the unit was asked for, this time included. */
  readonly attempts: number;
}

/** A table of units of work. */
interface UnitTable<Unit> {
  readonly table: 'ops.category_page' | 'ops.detail_fetch';
  /** Columns that name a unit within its run, in the order in which units are claimed. */
  readonly key: readonly KeyColumn<Unit>[];
  /** SQL after the claimed units `u`: joins, of which `columns` may select. */
  readonly joined?: string;
  /** SQL by field: what a claim returns beside the key. */
  readonly columns?: Readonly<Record<string, string>>;
}

interface KeyColumn<Unit> {
  readonly column: string;
  readonly field: keyof Unit & string;
  readonly type: 'int' | 'text';
}

/** Which units of a run a worker wants. */
export interface Wanted<Unit> {
  readonly runId: number;
  readonly workerId: string;
  readonly limit: number;
  /** The last unit of the claim before: only units after it are looked at. Null: all. */
  readonly after: Unit | null;
  /** SQL: only such units `u`. */
  readonly where?: string;
}

/** Units that nobody has finished. */
export interface Left {
  readonly units: number;
  /** Milliseconds until the first of them that no worker holds may be claimed; null: workers hold all. */
  readonly freeInMs: number | null;
  readonly held: number;
}

/** Told when units of a run become free, or the last one is finished; the payload is the run's id. */
export const unitsChannel = 'pricebook_units';

const notify = (from: string) =>
  `select pg_notify('${unitsChannel}', $1::int::text) from (select from ${from} limit 1) as one`;

/** What claiming does to units of work, whatever they are. A claim counts as long as its worker lives (workers.ts). */
export function unitsOf<Unit extends Claim>({ table, key, joined = '', columns = {} }: UnitTable<Unit>) {
  const names = key.map(({ column }) => `u.${column}`).join(', ');
  const returned = [
    ...key.map(({ column, field }) => `u.${column} as "${field}"`),
    ...Object.entries(columns).map(([field, sql]) => `${sql} as "${field}"`),
    'u.lease, u.attempts + 1 as attempts',
  ].join(', ');
  /** The unit under the token it was claimed with; values from `$first` on. */
  const isOurs = (first: number) =>
    ['run_id', ...key.map(({ column }) => column), 'lease'].map((name, i) => `${name} = $${first + i}`).join(' and ');
  const oursOf = (runId: number, unit: Unit) => [runId, ...key.map(({ field }) => unit[field]), unit.lease];
  const given = [...key, { column: 'lease', field: 'lease', type: 'int' }] as const;

  return {
    nameOf: (unit: Unit): string => key.map(({ field }) => unit[field]).join(' '),

    /** Takes units that are planned, free and not resting, in the order of their keys. */
    async claim(sql: Askable, { runId, workerId, limit, after, where = 'true' }: Wanted<Unit>): Promise<Unit[]> {
      const cursor = key.map(({ type }, i) => `$${i + 4}::${type}`).join(', ');
      return rowsOf<Unit & pg.QueryResultRow>(
        sql,
        `with u as (
           update ${table} set worker_id = $2, lease = lease + 1
           where ctid = any (array(
             select u.ctid from ${table} u
             where u.run_id = $1 and u.status = 'planned' and u.worker_id is null
               and (u.not_before is null or u.not_before <= clock_timestamp())
               and (${names}) > (${cursor}) and ${where}
             order by ${names}
             limit $3 for update skip locked))
           returning *
         )
         select ${returned} from u ${joined} order by ${names}`,
        [runId, workerId, limit, ...key.map(({ field, type }) => after?.[field] ?? (type === 'int' ? -1 : ''))],
      );
    },

    /** What is neither done nor given up. */
    async left(sql: Askable, runId: number, where = 'true'): Promise<Left> {
      const [left] = await rowsOf<{ units: number; held: number; freeInMs: number | null }>(
        sql,
        `select count(*)::int as units, (count(worker_id))::int as held,
           (min(greatest(0, coalesce(extract(epoch from not_before - clock_timestamp()), 0) * 1000))
             filter (where worker_id is null))::float8 as "freeInMs"
         from ${table} u where run_id = $1 and status = 'planned' and ${where}`,
        [runId],
      );
      return left!;
    },

    /**
     * Frees what dead workers hold: a worker holds a lock on its id as long as its connection lives, so a killed
     * process is noticed at once, and one that hangs when its heartbeat stops. `own`: also what this worker left behind
     * when its database was away.
     */
    async freeDead(sql: Askable, runId: number, workerId: string, { own = false } = {}): Promise<void> {
      await sql.query(
        `with holder as materialized (
           select distinct worker_id from ${table} where run_id = $1 and status = 'planned' and worker_id is not null
         ), dead as materialized (
           select h.worker_id from holder h left join ops.worker w on w.worker_id = h.worker_id
           where case when h.worker_id = $2 then $3 else
             coalesce(w.alive_until, '-infinity') < clock_timestamp()
             or pg_try_advisory_xact_lock(hashtextextended(h.worker_id::text, 0)) end
         ), freed as (
           update ${table} u set worker_id = null from dead
           where u.run_id = $1 and u.status = 'planned' and u.worker_id = dead.worker_id returning 1
         ) ${notify('freed')}`,
        [runId, workerId, own],
      );
    },

    /**
     * Gives a unit back undone, to rest for a while; `costsAttempt` false when nothing was wrong with it (a limit, a
     * shutdown).
     */
    async release(
      sql: Askable,
      runId: number,
      unit: Unit,
      { costsAttempt, why, restMs }: { readonly costsAttempt: boolean; readonly why: string; readonly restMs: number },
    ): Promise<void> {
      await sql.query(
        `with freed as (
           update ${table}
           set worker_id = null, error = $2, attempts = attempts + case when $3 then 1 else 0 end,
             not_before = clock_timestamp() + $4::float8 * interval '1 ms'
           where status = 'planned' and ${isOurs(5)} returning 1
         ) ${notify('freed')}`,
        [runId, why, costsAttempt, restMs, ...oursOf(runId, unit)],
      );
    },

    /** Gives units back that were not asked for. */
    async giveBack(sql: Askable, runId: number, units: readonly Unit[]): Promise<void> {
      if (units.length === 0) return;
      const fields = given.map(({ column, type }) => `${column} ${type}`).join(', ');
      await sql.query(
        `with freed as (
           update ${table} u set worker_id = null
           from jsonb_to_recordset($2::jsonb) as given (${fields})
           where u.run_id = $1 and u.status = 'planned'
             and ${given.map(({ column }) => `u.${column} = given.${column}`).join(' and ')} returning 1
         ) ${notify('freed')}`,
        [
          runId,
          JSON.stringify(
            units.map((unit) => Object.fromEntries(given.map((g) => [g.column, unit[g.field as keyof Unit]]))),
          ),
        ],
      );
    },

    /** Gives a unit up for this run. */
    async fail(sql: Askable, runId: number, unit: Unit, why: string): Promise<void> {
      await sql.query(
        `update ${table} set status = 'failed', worker_id = null, error = $1, attempts = attempts + 1
         where status = 'planned' and ${isOurs(2)}`,
        [why, ...oursOf(runId, unit)],
      );
    },

    /** True while a unit is neither done nor failed. */
    async anyOutstanding(sql: Askable, runId: number): Promise<boolean> {
      const rows = await rowsOf(sql, `select 1 from ${table} where run_id = $1 and status = 'planned' limit 1`, [
        runId,
      ]);
      return rows.length > 0;
    },
  };
}

export type Units<Unit extends Claim> = ReturnType<typeof unitsOf<Unit>>;

/** Wakes workers that wait for units of a run: there are none left. */
export async function notifyNoneLeft(sql: Askable, runId: number): Promise<void> {
  await sql.query(`select pg_notify('${unitsChannel}', $1::int::text)`, [runId]);
}
