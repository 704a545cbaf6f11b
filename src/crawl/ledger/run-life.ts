import type { Queryable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import { lockRegion } from './lock-region.ts';
import { endStopOf, isPausedAt, isStopped, upsertStop } from './run-stops.ts';

export type RunPhase = 'taxonomy' | 'categories' | 'details' | 'finishing' | 'over';
export type RunStatus = 'open' | 'held' | 'published' | 'abandoned' | 'expired';

/** Unexpected failures in a row after which a run is no longer retried. */
export const maxFailures = 10;

/** Rounds of repair after which a run finishes with the pages it has. */
export const maxRepairRounds = 10;

interface Transition {
  readonly from: readonly RunStatus[];
  /** Phases in which it may start; default: any. */
  readonly in?: readonly RunPhase[];
  readonly to: RunStatus;
  /** Phase after the transition; default: unchanged. */
  readonly phase?: RunPhase;
  /** SQL condition on the run `r`. */
  readonly guard?: string;
  /** Raises the fencing token, so that writes of earlier workers fail. */
  readonly isNewEpoch?: true;
  /** Ends the run's pause. */
  readonly endsStop?: true;
  /** SQL: further assignments. */
  readonly set?: string;
}

/** SQL: a column of the last published run in the region of `r`. */
const last = (column: string) =>
  `(select p.${column} from ops.published_run p where p.region = r.region
    order by p.observed_at desc limit 1)`;

/** SQL: the run is staged against the region's last published run in its current version, and is later than it. */
const isOnBase = `(
  r.base_run_id is not distinct from ${last('run_id')} and r.base_epoch = coalesce(${last('epoch')}, 0)
  and r.observed_at > coalesce(${last('observed_at')}, '-infinity'))`;

const baseAnew = `base_run_id = ${last('run_id')}, base_epoch = coalesce(${last('epoch')}, 0)`;

/** SQL: the run has no unit in `table` that is still planned. */
const noneLeft = (table: string) =>
  `not exists (select from ops.${table} w where w.run_id = r.run_id and w.status = 'planned')`;

const hasRead = `exists (select from ops.category_page w where w.run_id = r.run_id and w.status = 'done')`;

const ends = `requests_spent = (select coalesce(sum(sent), 0) from ops.spend s where s.run_id = r.run_id)`;

/** All transitions of a run. No other file writes a run's status, phase, epoch or verdict. */
export const transitions = {
  /** The taxonomy is staged. From here on, pages are compared with the catalogue. */
  startCategories: {
    from: ['open'],
    in: ['taxonomy'],
    to: 'open',
    phase: 'categories',
    set: `${baseAnew}, failure_count = 0`,
  },
  startDetails: { from: ['open'], in: ['categories'], to: 'open', phase: 'details', guard: noneLeft('category_page') },
  startFinishing: {
    from: ['open'],
    in: ['details'],
    to: 'open',
    phase: 'finishing',
    guard: noneLeft('detail_fetch'),
    endsStop: true,
    set: 'failure_count = 0',
  },
  repairListing: {
    from: ['open'],
    in: ['finishing'],
    to: 'open',
    phase: 'categories',
    set: 'repair_rounds = repair_rounds + 1, failure_count = 0',
  },
  repairDetails: {
    from: ['open'],
    in: ['finishing'],
    to: 'open',
    phase: 'details',
    set: 'repair_rounds = repair_rounds + 1, failure_count = 0',
  },
  /** The next night is due while the run is paused: it finishes with the pages it has and is not repaired. */
  cutShort: {
    from: ['open'],
    in: ['categories', 'details'],
    to: 'open',
    phase: 'finishing',
    guard: `${isStopped} and ${hasRead}`,
    endsStop: true,
    set: `repair_rounds = ${maxRepairRounds}, failure_count = 0`,
  },
  /** The next night is due, and the paused run has read nothing or failed too often: nothing is published. */
  expire: {
    from: ['open'],
    to: 'expired',
    phase: 'over',
    guard: `${isStopped} and (r.failure_count >= ${maxFailures} or r.phase <> 'finishing' and not ${hasRead})`,
    isNewEpoch: true,
    endsStop: true,
    set: ends,
  },
  /** Like `expire`, for a process that cannot finish the run: only if it has read nothing. */
  expireUnread: {
    from: ['open'],
    to: 'expired',
    phase: 'over',
    guard: `${isStopped} and r.phase <> 'finishing' and not ${hasRead}`,
    isNewEpoch: true,
    endsStop: true,
    set: ends,
  },
  /** The base has moved: the run is staged again from the archive. */
  restage: { from: ['open'], in: ['finishing'], to: 'open', isNewEpoch: true, set: baseAnew },
  restageHeld: { from: ['held'], to: 'held', isNewEpoch: true, set: baseAnew },
  publish: {
    from: ['open'],
    in: ['finishing'],
    to: 'published',
    phase: 'over',
    guard: isOnBase,
    endsStop: true,
    set: ends,
  },
  hold: { from: ['open'], in: ['finishing'], to: 'held', phase: 'over', guard: isOnBase, endsStop: true, set: ends },
  /** A user has reviewed the held run and publishes it. */
  release: { from: ['held'], to: 'published', guard: isOnBase },
  /** A user certifies a run that was published as partial. */
  certifyPartial: {
    from: ['published'],
    to: 'published',
    guard: `r.verdict = 'partial' and r.run_id = ${last('run_id')}`,
  },
  abandon: { from: ['open', 'held'], to: 'abandoned', phase: 'over', isNewEpoch: true, endsStop: true, set: ends },
} as const satisfies Readonly<Record<string, Transition>>;

type TransitionName = keyof typeof transitions;

interface Moving {
  readonly runId: number;
  /** Fencing token of the caller; omitted for a user's decision. */
  readonly epoch?: number;
}

/** Final values stored on a finished run. */
interface Ending {
  readonly verdict?: string;
  readonly finishedAt?: Date;
  readonly productsListed?: number;
  readonly productsAvailable?: number;
}

/** Makes a transition. Returns false, with nothing changed, if the run is not in its start state or the guard fails. */
export async function move(
  sql: Queryable,
  name: TransitionName,
  { runId, epoch }: Moving,
  { verdict, finishedAt, productsListed, productsAvailable }: Ending = {},
): Promise<boolean> {
  const { from, in: phases, to, phase, guard, isNewEpoch, endsStop, set }: Transition = transitions[name];
  const changes = [
    `status = '${to}'`,
    ...(phase ? [`phase = '${phase}'`] : []),
    ...(isNewEpoch ? ['epoch = epoch + 1'] : []),
    ...(set ? [set] : []),
    'verdict = coalesce($3, r.verdict)',
    `finished_at = case when $4::timestamptz is null then r.finished_at else greatest(r.started_at, $4) end`,
    'products_listed = coalesce($5, r.products_listed), products_available = coalesce($6, r.products_available)',
  ];
  const moved = await countOf(
    sql,
    `with moved as (
       update ops.run r set ${changes.join(', ')}
       where r.run_id = $1 and ($2::int is null or r.epoch = $2) and r.status in (${quoted(from)})
         and ${phases ? `r.phase in (${quoted(phases)})` : 'true'} and ${guard ?? 'true'}
       returning r.run_id
     )${endsStop ? `, ended as (${endStopOf('moved')})` : ''}
     select run_id from moved`,
    [runId, epoch ?? null, verdict ?? null, finishedAt ?? null, productsListed ?? null, productsAvailable ?? null],
  );
  return moved > 0;
}

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

export interface LockedRun {
  readonly status: RunStatus;
  readonly phase: RunPhase;
  readonly region: string;
  readonly snapshotDate: string;
  readonly epoch: number;
  readonly productsListed: number | null;
  readonly productsAvailable: number | null;
  readonly isOnBase: boolean;
}

/** Locks publication in the run's region until the transaction ends, and returns the run; null if it does not exist. */
export async function lockForPublication(sql: Queryable, runId: number): Promise<LockedRun | null> {
  const [found] = await rowsOf<{ region: string }>(sql, 'select region from ops.run where run_id = $1', [runId]);
  if (!found) return null;
  await lockRegion(sql, found.region);
  const [run] = await rowsOf<LockedRun>(
    sql,
    `select status, phase, region, snapshot_date as "snapshotDate", epoch,
       products_listed as "productsListed", products_available as "productsAvailable",
       ${isOnBase} as "isOnBase"
     from ops.run r where run_id = $1 for update`,
    [runId],
  );
  return run ?? null;
}

/** True while nothing was published, released or replayed in the run's region since it was staged. */
export async function isStagedOnBase(sql: Queryable, runId: number): Promise<boolean> {
  const [run] = await rowsOf<{ isOnBase: boolean }>(
    sql,
    `select ${isOnBase} as "isOnBase" from ops.run r where run_id = $1`,
    [runId],
  );
  return run?.isOnBase ?? false;
}

/** The published run that a later run is staged against. */
export interface Base {
  readonly runId: number;
  readonly epoch: number;
}

/** The region's last published run; null if there is none. */
export async function baseOf(sql: Queryable, region: string): Promise<Base | null> {
  const [base] = await rowsOf<Base>(
    sql,
    `select run_id as "runId", epoch from ops.published_run
     where region = $1 order by observed_at desc limit 1`,
    [region],
  );
  return base ?? null;
}

/** Delay after the first unexpected failure; it doubles with each further one. */
const firstPauseMs = 30_000;
const longestPauseMs = 60 * 60_000;

/**
 * Records an unexpected failure and pauses the run, longer each time. Returns the number of failures in a row; null if
 * the run is over, is already paused (several processes meet the same failure), or has a new epoch.
 */
export async function recordFailure(
  sql: Queryable,
  { runId, epoch }: Required<Moving>,
  { why, now }: { readonly why: string; readonly now: Date },
): Promise<number | null> {
  const [row] = await rowsOf<{ failures: number }>(
    sql,
    `with failed as (
       update ops.run r set failure_count = failure_count + 1
       where run_id = $1 and epoch = $2 and status = 'open' and not ${isPausedAt('$4::timestamptz')}
       returning run_id, failure_count
     ), stopped as (
       insert into ops.stop (scope, scope_id, reason, detail, since, until)
       select 'run', run_id, 'failure', $3, $4::timestamptz,
         $4::timestamptz + least($5 * 2 ^ least(failure_count - 1, 16), $6) * interval '1 ms'
       from failed
       ${upsertStop}
     )
     select failure_count as failures from failed`,
    [runId, epoch, why, now, firstPauseMs, longestPauseMs],
  );
  return row?.failures ?? null;
}

/** SQL by column: state of a run in the shadow at the start of its replay. */
export const replayStart: Readonly<Record<string, string>> = {
  status: `'open'::ops.run_status`,
  phase: `'finishing'::ops.run_phase`,
  verdict: 'null::ops.verdict',
  finished_at: 'null::timestamptz',
  products_listed: 'null::int',
  products_available: 'null::int',
  base_run_id: lastReplayed('run_id'),
  base_epoch: `coalesce(${lastReplayed('epoch')}, 0)`,
};

function lastReplayed(column: string): string {
  return `(
    select p.${column} from ops_replay.run p where p.region = x.region and p.status = 'published'
    order by p.observed_at desc limit 1)`;
}

/** Applies a replay: copies the results of replayed runs from the shadow. */
export async function adoptReplayed(sql: Queryable, runIds: readonly number[]): Promise<void> {
  await sql.query(
    `update ops.run r
     set status = s.status, phase = s.phase, base_run_id = s.base_run_id, verdict = s.verdict,
       finished_at = s.finished_at, requests_spent = s.requests_spent,
       products_listed = s.products_listed, products_available = s.products_available
     from ops_replay.run s
     where r.run_id = any($1) and s.run_id = r.run_id
       and r.status in ('published', 'held') and s.status in ('published', 'held')
       and (
         r.status, r.phase, r.base_run_id, r.verdict, r.finished_at, r.requests_spent,
         r.products_listed, r.products_available
       ) is distinct from (
         s.status, s.phase, s.base_run_id, s.verdict, s.finished_at, s.requests_spent,
         s.products_listed, s.products_available
       )`,
    [runIds],
  );
}

/**
 * Raises the epoch of replayed runs. A changed night is a new base, and a held run must be staged again before it is
 * published.
 */
export async function moveBase(sql: Queryable, runIds: readonly number[], isChanged: boolean): Promise<void> {
  await sql.query(
    `update ops.run set epoch = epoch + 1, base_epoch = case when status = 'published' then base_epoch end
     where run_id = any($1) and (status = 'held' or status = 'published' and $2)`,
    [runIds, isChanged],
  );
}
