import type { Askable } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import type { Question } from '../gateway/gateway.ts';

/** What a request is counted under, and whether it is a health probe. */
export type Asked = Pick<Question, 'listing' | 'endpoint' | 'region' | 'runId' | 'isHealthProbe'>;

/** Why a listing is not asked at present, as all processes see it. */
export interface Stop {
  readonly state: 'quota' | 'denied' | 'failing' | 'nothing_left';
  readonly until: Date | null;
  readonly what: string | null;
  readonly failuresInARow: number;
}

/** Why a listing is stopped; null when it is not. `byHeaders`: also when the upstream's headers say that nothing is left. */
export async function findStop(
  sql: Askable,
  listing: string,
  { now, byHeaders }: { now: Date; byHeaders: boolean },
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
 * The half-open trial of a stopped listing: the right to one request that sees whether it still is. One of all processes has it
 * when the pause is over; `anyway` does not wait for that. False when it is not our turn.
 */
export async function claimTrial(
  sql: Askable,
  listing: string,
  { now, anyway }: { now: Date; anyway: boolean },
): Promise<boolean> {
  const claimed = await countOf(
    sql,
    `update ops.listing_health
     set paused_until = greatest(paused_until, $2::timestamptz + $4::int * interval '1 millisecond')
     where listing = $1 and state <> 'ok' and ($3::boolean or paused_until is null or paused_until <= $2)`,
    [listing, now, anyway, trialMs],
  );
  return claimed > 0;
}

/** Longer than any request takes: while one sees how things are, no other process does. */
const trialMs = 90_000;

/** A counter that does not say when it is reset is believed for an hour. */
const headersHoldUntil = `coalesce(h.quota_resets_at, h.quota_seen_at + interval '1 hour')`;

/** $1 listing, $2 now, $3 byHeaders. */
const isStopped = `h.listing = $1 and (
  h.state <> 'ok' or ($3::boolean and h.quota_remaining <= 0 and ${headersHoldUntil} > $2::timestamptz)
)`;
