import { AccessDenied, BudgetExhausted, type PricebookError, UpstreamUnavailable } from '../../base/errors.ts';
import type { Queryable } from '../../db/client.ts';
import type { Outcome } from '../spend.ts';
import { stopMs } from './terms.ts';

export type RequestStopReason = 'key_refused' | 'quota_used_up' | 'nothing_left' | 'failing';

/** A stop as `ops.reserve` returns it: the row of `ops.stop`, plus columns of the listing. Instants are ISO 8601. */
export interface Stop {
  readonly scope: 'key' | 'listing';
  readonly reason: RequestStopReason;
  readonly detail: string | null;
  readonly until: string | null;
  /** Consecutive failures of the listing. */
  readonly failures: number;
  /** Time of the next probe for a raised quota. */
  readonly rechecked_at: string | null;
}

interface StopPlace {
  readonly listing: string;
  /** Fingerprint of the key that was used. */
  readonly key: string;
}

/** The error for requests that a stop holds back. */
export function stopError(
  { reason, detail, until, failures, rechecked_at }: Stop,
  { listing, keyVariable }: { listing: string; keyVariable: string },
): PricebookError {
  const dateOf = (text: string | null) => (text === null ? null : new Date(text));
  switch (reason) {
    case 'key_refused':
      return new AccessDenied(listing, detail ?? 'the key was refused', keyVariable);
    case 'failing':
      return new UpstreamUnavailable(
        listing,
        `it failed ${failures} times in a row, most recently: ${detail ?? 'no reason given'}`,
        {
          isHeldBack: true,
        },
      );
    default:
      return new BudgetExhausted(listing, detail ?? 'the quota is used up', dateOf(until), {
        isOfKey: true,
        recheckedAt: dateOf(rechecked_at),
      });
  }
}

/** Change of the stops after an outcome; null: none. `probed`: the stop that the request probed. */
export function stopChange(
  outcome: Outcome,
  { at, byHeaders, probed }: { at: Date; byHeaders: boolean; probed: Stop | null },
): ((sql: Queryable, place: StopPlace) => Promise<unknown>) | null {
  const after = (ms: number) => new Date(at.getTime() + ms);
  const { kind, quota } = outcome;
  const detail = outcome.what ?? null;
  if (kind === 'denied') {
    return (sql, place) => stopKey(sql, place, { reason: 'key_refused', detail, at, until: after(stopMs.key_refused) });
  }
  if (kind === 'quota') {
    const until = outcome.until ?? after(stopMs.quota);
    return (sql, place) => stopKey(sql, place, { reason: 'quota_used_up', detail, at, until });
  }
  if (quota && quota.remaining <= 0 && byHeaders) {
    const until = quota.resetsAt ?? after(stopMs.quota);
    const nothingLeft = {
      reason: 'nothing_left',
      detail: nothingLeftWords,
      at,
      until,
      isProbe: probed !== null,
    } as const;
    return (sql, place) => stopKey(sql, place, nothingLeft);
  }
  if (probed === null) return null;
  // A key that is no longer refused ends its stop, even if the request failed for another reason.
  const isOver = kind === 'ok' || kind === 'refused' || (kind === 'failed' && probed.reason === 'key_refused');
  if (isOver) return (sql, place) => endStops(sql, place, { forgetsQuota: !quota });
  const until = kind === 'failed' && probed.reason === 'failing' ? after(stopMs.failing) : null;
  return (sql, place) => releaseProbe(sql, place, until === null ? {} : { until, detail });
}

const nothingLeftWords = 'the quota is used up according to the upstream';

/** Stops a key. Ends a stop of the listing, because it answered; the new reason replaces an earlier one. */
async function stopKey(
  sql: Queryable,
  { listing, key }: StopPlace,
  stop: { reason: RequestStopReason; detail: string | null; at: Date; until: Date; isProbe?: boolean },
): Promise<void> {
  const { reason, detail, at, until, isProbe = false } = stop;
  await sql.query(
    `with answered as (delete from ops.stop where scope = 'listing' and scope_id = $2)
     insert into ops.stop as s (scope, scope_id, listing, reason, detail, since, until)
     values ('key', $1, $2, $3, $4, $5, $6)
     on conflict (scope, scope_id) do update set
       reason = excluded.reason, detail = excluded.detail, until = excluded.until, probe_until = null,
       since = case when s.reason = excluded.reason and s.since <= excluded.since then s.since else excluded.since end
     where excluded.reason <> 'nothing_left' or s.reason = 'nothing_left' or $7`,
    [key, listing, reason, detail, at, until, isProbe],
  );
}

async function endStops(sql: Queryable, { listing, key }: StopPlace, { forgetsQuota }: { forgetsQuota: boolean }) {
  await sql.query(
    `with ended as (delete from ops.stop where (scope, scope_id) in (('key', $2), ('listing', $1)))
     update ops.listing set quota_limit = null, quota_remaining = null, quota_resets_at = null, quota_seen_at = null
     where listing = $1 and $3 and quota_remaining = 0`,
    [listing, key, forgetsQuota],
  );
}

/** Ends a probe without a result; another may follow. */
export async function releaseProbe(
  sql: Queryable,
  { listing, key }: StopPlace,
  { until = null, detail = null }: { until?: Date | null; detail?: string | null } = {},
): Promise<void> {
  await sql.query(
    `update ops.stop set probe_until = null, until = coalesce($3, until), detail = coalesce($4, detail)
     where (scope, scope_id) in (('key', $1), ('listing', $2))`,
    [key, listing, until, detail],
  );
}
