import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { Question } from '../gateway/gateway.ts';
import { sentCte } from './spend-counts.ts';

/** What a request is counted under, and whether it only looks. */
export type Asked = Pick<Question, 'listing' | 'endpoint' | 'region' | 'runId' | 'isHealthProbe'>;

/** Why a listing is not asked at present, as all processes see it. */
export interface Stop {
  readonly state: 'quota' | 'denied' | 'failing' | 'nothing_left';
  readonly until: Date | null;
  readonly what: string | null;
  readonly failuresInARow: number;
}

export interface AdmissionOptions {
  readonly now: Date;
  readonly hour: Date;
  /** Stop when the upstream's headers say that nothing is left: soft plans go on, and bill. */
  readonly byHeaders: boolean;
}

/**
 * Counts requests of one listing as sent in one statement; when the listing is stopped it counts nothing and says why. The commit
 * does not wait for the disk (0.5 ms instead of 3): only a crash of the database itself could lose the count, of what has no
 * outcome yet, and no limit of ours depends on it here.
 */
export async function admit(sql: Askable, asked: readonly Asked[], options: AdmissionOptions): Promise<Stop | null> {
  const { listing } = asked[0]!;
  const { now, hour, byHeaders } = options;
  for (;;) {
    const counted = sentCte(asked, hour, 4);
    const [row] = await rowsOf<{ counted: number }>(
      sql,
      `with soon as materialized (select set_config('synchronous_commit', 'off', true)),
       ${counted.text(`exists (select from soon) and not exists (select from ops.listing_health h where ${isStopped})`)}
       select count(*)::int as counted from counted`,
      [listing, now, byHeaders, ...counted.values],
    );
    if (row!.counted > 0) return null;
    const stop = await findStop(sql, listing, options);
    // null: it was opened between the two statements.
    if (stop) return stop;
  }
}

/** Why a listing is stopped; null when it is not. */
export async function findStop(
  sql: Askable,
  listing: string,
  { now, byHeaders }: Pick<AdmissionOptions, 'now' | 'byHeaders'>,
): Promise<Stop | null> {
  const [stop] = await rowsOf<Stop>(
    sql,
    `select case when h.state = 'ok' then 'nothing_left' else h.state::text end as state,
       case when h.state = 'ok' then ${headersHoldUntil} else h.paused_until end as until,
       h.last_error as what,
       h.failures_in_a_row as "failuresInARow"
     from ops.listing_health h where ${isStopped}`,
    [listing, now, byHeaders],
  );
  return stop ?? null;
}

/**
 * Lets one request of a stopped listing through, to see whether it still is: when its pause is over, one of all processes;
 * `anyway` without waiting for that. Counts it as sent; false when it is not our turn.
 */
export async function admitTrial(
  sql: Askable,
  asked: Asked,
  { now, hour, anyway }: { now: Date; hour: Date; anyway: boolean },
): Promise<boolean> {
  const counted = sentCte([asked], hour, 5);
  const [row] = await rowsOf<{ counted: number }>(
    sql,
    `with claimed as (
       update ops.listing_health
       set paused_until = greatest(paused_until, $2::timestamptz + $4::int * interval '1 millisecond')
       where listing = $1 and state <> 'ok' and ($3::boolean or paused_until is null or paused_until <= $2)
       returning 1
     ), ${counted.text('exists (select from claimed)')}
     select count(*)::int as counted from counted`,
    [asked.listing, now, anyway, trialMs, ...counted.values],
  );
  return row!.counted > 0;
}

/** Longer than any request takes: while one sees how things are, no other process does. */
const trialMs = 90_000;

/** A counter that does not say when it is reset is believed for an hour. */
const headersHoldUntil = `coalesce(h.quota_resets_at, h.quota_seen_at + interval '1 hour')`;

/** $1 listing, $2 now, $3 byHeaders. */
const isStopped = `h.listing = $1 and (
  h.state <> 'ok' or ($3::boolean and h.quota_remaining <= 0 and ${headersHoldUntil} > $2::timestamptz)
)`;
