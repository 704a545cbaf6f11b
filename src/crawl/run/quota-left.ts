import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import type { ListingLimits } from '../../gateway/limits/limits.ts';
import { keyPrint } from '../../gateway/limits/stops.ts';
import { monthOf } from '../../source/listings/index.ts';

/** Limits and prices of a listing. */
export interface ListingTerms extends Omit<ListingLimits, 'host' | 'keyVariable' | 'key'> {
  readonly listing: ListingName;
  /** Key whose rate headers count; those received by another key are ignored. */
  readonly key?: ListingLimits['key'];
  /** Whether requests are free, as with the simulator. */
  readonly isFree: boolean;
}

/** Usage of a listing's month. */
export interface MonthSoFar {
  /** Requests included in the monthly price; null: unknown; 0: unlimited. */
  readonly included: number | null;
  readonly used: number;
  /** Requests left; null: no limit is known. */
  readonly left: number | null;
  /** Nights until the quota resets, including tonight; at least 1. */
  readonly nightsLeft: number;
  /** When the quota resets. */
  readonly endsAt: Date;
}

/** Reads how much of a listing's month is used, by our count and by the headers, which also count other programs. */
export async function readMonth(sql: Queryable, terms: ListingTerms, now: Date): Promise<MonthSoFar> {
  const { listing, subscription, monthlyQuota: quota } = terms;
  const month = monthOf(subscription, now);
  const key = terms.key ? keyPrint(listing, terms.key.reveal()) : null;
  const [row] = await camelRows<Counted>(sql, selectCounted, [listing, now, month.startsAt, key]);
  const { used, remaining, resetsAt, resetsSoon, limitReported, quotaReported } = row!;
  const included = includedIn(quota, quotaReported);
  const endsAt = (quota === null ? resetsAt : row!.endsAt) ?? month.endsAt;
  const nightsLeft = Math.max(1, Math.ceil((endsAt.getTime() - now.getTime()) / 86_400_000));
  // The new quota and its next reset are unknown: a run waits for the reset and continues.
  const leftByHeaders = remaining !== null && remaining > 0 && resetsSoon ? null : remaining;
  const isOfMonth = quota === null || (quota > 0 && (quotaReported !== null || (limitReported ?? 0) >= quota));
  const ofMonth = isOfMonth ? leftByHeaders : null;
  const left = Math.min(
    quota ? Math.max(0, quota - used) : Number.POSITIVE_INFINITY,
    ofMonth ?? Number.POSITIVE_INFINITY,
  );
  return { included, used, left: Number.isFinite(left) ? left : null, nightsLeft, endsAt };
}

interface Counted {
  readonly used: number;
  readonly endsAt: Date | null;
  /** According to the latest headers, while they are valid; null otherwise. */
  readonly remaining: number | null;
  readonly resetsAt: Date | null;
  /** Whether the headers announce a reset within the hour. */
  readonly resetsSoon: boolean;
  /** Limit of the latest headers, of a month or a day. */
  readonly limitReported: number | null;
  readonly quotaReported: number | null;
}

/**
 * SQL on `ops.listing h`: monthly quota according to the latest headers. Null if they state none, or may describe a
 * day: its reset is at most 26 hours away, because clocks may change.
 */
export const monthReported = `
  case when h.quota_resets_at is null or h.quota_resets_at > h.quota_seen_at + interval '26 hours'
    then h.quota_limit end`;

/** Requests included in the price: as configured, else as the headers say. Null: unknown; 0: unlimited. */
export const includedIn = (quota: number | null, reported: number | null) => quota || reported || quota;

/** SQL on `ops.listing h`: requests of the month at $2, by its counter or, in a month without one, as sent. */
export const usedIn = (listing: string, monthStartsAt: string) => `
  coalesce(
    case when h.month_starts_at <= $2 and $2 < h.month_ends_at then h.used end,
    (select sum(sent) from ops.spend s where s.listing = ${listing} and s.hour >= ${monthStartsAt} and s.hour <= $2),
    0)`;

const selectCounted = `
  select
    ${usedIn('$1', '$3')}::float8 as used,
    case when month.is_counted then h.month_ends_at end as ends_at,
    case when reported.counts then h.quota_remaining end as remaining,
    case when reported.counts then reported.resets_at end as resets_at,
    coalesce(h.quota_resets_at <= $2::timestamptz + interval '1 hour', false) as resets_soon,
    h.quota_limit as limit_reported, ${monthReported} as quota_reported
  from (select 1) as one
  left join ops.listing h on h.listing = $1
  cross join lateral (
    select h.month_starts_at <= $2 and $2 < h.month_ends_at as is_counted) as month
  -- A counter without a reset time is believed for one hour.
  cross join lateral (select coalesce(h.quota_resets_at, h.quota_seen_at + interval '1 hour') as resets_at) as reset
  cross join lateral (
    select reset.resets_at, reset.resets_at > $2 and coalesce(h.quota_key = $4, true)
      and coalesce(h.quota_seen_at <= $2::timestamptz + interval '1 minute', true) as counts
  ) as reported`;
