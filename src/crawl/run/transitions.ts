import type { Queryable } from '../../db/client.ts';
import { camelRows, countOf } from '../../db/rows.ts';
import type { runPhase } from '../../db/tables/index.ts';
import { lockRegion } from './lock-region.ts';

export type RunPhase = (typeof runPhase.enumValues)[number];
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
  readonly isNewToken?: true;
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
  r.base_run_id is not distinct from ${last('run_id')} and r.base_run_token = coalesce(${last('run_token')}, 0)
  and r.observed_at > coalesce(${last('observed_at')}, '-infinity'))`;

const baseAnew = `base_run_id = ${last('run_id')}, base_run_token = coalesce(${last('run_token')}, 0)`;

/** SQL: the run has no unit in `table` that is still planned. */
const noneLeft = (table: string) =>
  `not exists (select from ops.${table} w where w.run_id = r.run_id and w.status = 'planned')`;

const hasRead = `exists (select from ops.category_page w where w.run_id = r.run_id and w.status = 'done')`;

/** SQL: a stop `s` is that of the run. */
const isOwnStop = `s.scope = 'run' and s.scope_id = r.run_id::text`;

/** SQL: the run has a stop of its own. */
export const isStopped = `exists (select from ops.stop s where ${isOwnStop} and s.until > ops.clock())`;

const hasFailedTooOften = `exists (
  select from ops.stop s where ${isOwnStop} and s.reason = 'broken' and s.times >= ${maxFailures})`;

const ends = `requests_spent = (select coalesce(sum(sent), 0) from ops.spend s where s.run_id = r.run_id)`;

/** All transitions of a run. No other file writes a run's status, phase or run token. */
export const transitions = {
  /** The taxonomy is staged. From here on, pages are compared with the catalogue. */
  startCategories: {
    from: ['open'],
    in: ['taxonomy'],
    to: 'open',
    phase: 'categories',
    endsStop: true,
    set: baseAnew,
  },
  startDetails: { from: ['open'], in: ['categories'], to: 'open', phase: 'details', guard: noneLeft('category_page') },
  startFinishing: {
    from: ['open'],
    in: ['details'],
    to: 'open',
    phase: 'finishing',
    guard: noneLeft('detail_fetch'),
    endsStop: true,
  },
  repairListing: {
    from: ['open'],
    in: ['finishing'],
    to: 'open',
    phase: 'categories',
    endsStop: true,
    set: 'repair_rounds = repair_rounds + 1',
  },
  repairDetails: {
    from: ['open'],
    in: ['finishing'],
    to: 'open',
    phase: 'details',
    endsStop: true,
    set: 'repair_rounds = repair_rounds + 1',
  },
  /** The next night is due: the run finishes with the pages it has and is not repaired. */
  cutShort: {
    from: ['open'],
    in: ['categories', 'details'],
    to: 'open',
    phase: 'finishing',
    guard: hasRead,
    endsStop: true,
    set: `repair_rounds = ${maxRepairRounds}`,
  },
  /** The next night is due, and the run has read nothing or failed too often: nothing is published. */
  expire: {
    from: ['open'],
    to: 'expired',
    phase: 'over',
    guard: `(r.phase <> 'finishing' and not ${hasRead} or ${hasFailedTooOften})`,
    isNewToken: true,
    endsStop: true,
    set: ends,
  },
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
  /** A replay takes the run back to before its publication, and then finishes it again, one run at a time. */
  rewind: { from: ['published', 'held'], to: 'held' },
  reopen: { from: ['held'], to: 'open', phase: 'finishing', isNewToken: true, set: baseAnew },
  /** A user has reviewed the held run and publishes it. */
  release: { from: ['held'], to: 'published', guard: isOnBase },
  /** A user certifies a run that was published as partial. */
  certifyPartial: {
    from: ['published'],
    to: 'published',
    guard: `r.verdict = 'partial' and r.run_id = ${last('run_id')}`,
  },
  /** All stores or searches of a run of theirs are published. */
  publishUnits: {
    from: ['open'],
    in: ['units'],
    to: 'published',
    phase: 'over',
    guard: `${noneLeft('store_circle')} and ${noneLeft('keyword_search')}`,
    endsStop: true,
    set: ends,
  },
  abandon: { from: ['open', 'held'], to: 'abandoned', phase: 'over', isNewToken: true, endsStop: true, set: ends },
} as const satisfies Readonly<Record<string, Transition>>;

type TransitionName = keyof typeof transitions;

interface Moving {
  readonly runId: number;
  /** Fencing token of the caller; omitted for a user's decision. */
  readonly runToken?: number;
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
  { runId, runToken }: Moving,
  { verdict, finishedAt, productsListed, productsAvailable }: Ending = {},
): Promise<boolean> {
  const { from, in: phases, to, phase, guard, isNewToken, endsStop, set }: Transition = transitions[name];
  const changes = [
    `status = '${to}'`,
    ...(phase ? [`phase = '${phase}'`] : []),
    ...(isNewToken ? ['run_token = run_token + 1'] : []),
    ...(set ? [set] : []),
    'verdict = coalesce($3, r.verdict)',
    `finished_at = case when $4::timestamptz is null then r.finished_at else greatest(r.started_at, $4) end`,
    'products_listed = coalesce($5, r.products_listed), products_available = coalesce($6, r.products_available)',
  ];
  const moved = await countOf(
    sql,
    `with moved as (
       update ops.run r set ${changes.join(', ')}
       where r.run_id = $1 and ($2::int is null or r.run_token = $2) and r.status in (${quoted(from)})
         and ${phases ? `r.phase in (${quoted(phases)})` : 'true'} and ${guard ?? 'true'}
       returning r.run_id
     )${endsStop ? `, ended as (delete from ops.stop s using moved r where ${isOwnStop})` : ''}
     select run_id from moved`,
    [runId, runToken ?? null, verdict ?? null, finishedAt ?? null, productsListed ?? null, productsAvailable ?? null],
  );
  return moved > 0;
}

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ');

export interface LockedRun {
  readonly status: RunStatus;
  readonly phase: RunPhase;
  readonly region: string;
  readonly snapshotDate: string;
  readonly runToken: number;
  readonly productsListed: number | null;
  readonly productsAvailable: number | null;
  readonly isOnBase: boolean;
}

/** Locks publication in the run's region until the transaction ends, and returns the run; null if it does not exist. */
export async function lockForPublication(sql: Queryable, runId: number): Promise<LockedRun | null> {
  const [found] = await camelRows<{ region: string }>(sql, 'select region from ops.run where run_id = $1', [runId]);
  if (!found) return null;
  await lockRegion(sql, found.region);
  const [run] = await camelRows<LockedRun>(
    sql,
    `select status, phase, region, snapshot_date, run_token, products_listed, products_available,
       ${isOnBase} as is_on_base
     from ops.run r where run_id = $1 for update`,
    [runId],
  );
  return run ?? null;
}

/** Delay after the first unexpected failure; it doubles with each further one. */
const firstPauseMs = 30_000;
const longestPauseMs = 60 * 60_000;

/**
 * Records an unexpected failure of a run's step: the run is stopped, longer each time. Returns the number of failures
 * in a row; null if the run is over, has a new token, or is stopped already, because several processes meet the same
 * failure.
 */
export async function recordFailure(
  sql: Queryable,
  { runId, runToken }: Required<Moving>,
  why: string,
): Promise<number | null> {
  const [row] = await camelRows<{ failures: number }>(
    sql,
    `with failing as (
       select run_id from ops.run where run_id = $1 and run_token = $2 and status = 'open' for update
     )
     insert into ops.stop as s (scope, scope_id, reason, detail, since, until, times)
     select 'run', run_id, 'broken', $3, ops.clock(), ops.clock() + $4::float8 * interval '1 ms', 1
     from failing
     on conflict (scope, scope_id) do update set
       reason = excluded.reason, detail = excluded.detail, since = excluded.since, probe_until = null,
       times = case when s.reason = 'broken' then s.times + 1 else 1 end,
       until = excluded.since + interval '1 ms'
         * case when s.reason = 'broken' then least($4 * 2 ^ least(s.times, 16), $5::float8) else $4 end
     where s.reason <> 'broken' or s.until <= excluded.since
     returning times as failures`,
    [runId, runToken, why, firstPauseMs, longestPauseMs],
  );
  return row?.failures ?? null;
}
