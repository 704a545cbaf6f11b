import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { keyPrint } from '../../gateway/limits/key-print.ts';
import { type ListingLimits, reserveOf } from '../../gateway/limits/terms.ts';
import { monthlyQuotaOn, monthOf } from '../../source/listings/index.ts';
import { nightsUntil, type QuotaLeft } from '../plan/night-budget.ts';

/** Limits and prices of a listing. */
export interface ListingTerms extends Omit<ListingLimits, 'host' | 'keyVariable' | 'key'> {
  readonly listing: ListingName;
  /** Key whose rate headers count; those received by another key are ignored. */
  readonly key?: ListingLimits['key'];
  /** Whether requests are free, as with the simulator. */
  readonly isFree: boolean;
}

export interface MonthSoFar extends QuotaLeft {
  /** Requests included in the monthly price; null: unknown; 0: unlimited. */
  readonly included: number | null;
  /** Requests used this month, including those of other users of the key as far as the upstream's headers show them. */
  readonly used: number;
  /** Requests of the last 24 hours, which count against a daily limit. */
  readonly usedToday: number;
  /** End of the month, when the quota resets. */
  readonly endsAt: Date;
}

/** Usage of a listing's month: requests used, requests left, and the nights they have to last for. */
export async function readMonth(sql: Queryable, terms: ListingTerms, now: Date): Promise<MonthSoFar> {
  const { listing, subscription, bonusOffer: offer, monthlyQuota: told } = terms;
  const included = monthlyQuotaOn(now.toISOString().slice(0, 10), subscription, { offer, told });
  const month = monthOf(subscription, now);
  const [row] = await rowsOf<Counted>(sql, selectCounted, [
    listing,
    now,
    month.startsAt,
    terms.key ? keyPrint(listing, terms.key.reveal()) : null,
  ]);
  const { used, usedToday, endsAt, remaining, resetsAt, turnsSoon, quotaTold } = row!;
  const perDay = letThroughInADay(terms);
  const paidFor = included || quotaTold || included;
  if (included !== null) {
    const left = included === 0 ? null : Math.max(0, included - used);
    const reserve = left === null ? 0 : reserveOf(terms, included);
    const ends = endsAt ?? month.endsAt;
    return {
      included: paidFor,
      used,
      usedToday,
      left,
      reserve,
      perDay,
      nightsLeft: nightsUntil(ends, now),
      endsAt: ends,
    };
  }
  const ends = resetsAt ?? month.endsAt;
  const nightsLeft = nightsUntil(ends, now);
  // The new quota and its next reset are unknown: a run waits for the reset and continues.
  const left = remaining !== null && remaining > 0 && turnsSoon ? null : remaining;
  return { included: paidFor, used, usedToday, left, reserve: 0, perDay, nightsLeft, endsAt: ends };
}

/** Units that rate and windows allow in 24 hours; null if unlimited. */
function letThroughInADay({
  requestsPerSecond,
  windows,
}: Pick<ListingTerms, 'requestsPerSecond' | 'windows'>): number | null {
  const rates = windows.map(({ windowMs, units }) => Math.floor((units * dayMs) / windowMs));
  if (requestsPerSecond > 0) rates.push(Math.floor((requestsPerSecond * dayMs) / 1_000));
  return rates.length === 0 ? null : Math.min(...rates);
}

const dayMs = 86_400_000;

interface Counted {
  readonly used: number;
  readonly usedToday: number;
  readonly endsAt: Date | null;
  /** According to the latest headers, while they are valid; null otherwise. */
  readonly remaining: number | null;
  readonly resetsAt: Date | null;
  /** Whether the headers announce a reset within the hour. */
  readonly turnsSoon: boolean;
  readonly quotaTold: number | null;
}

/**
 * SQL on `ops.listing h`: monthly quota according to the latest headers. Null if they state none, or may describe a
 * day: its reset is at most 26 hours away, because clocks may change.
 */
export const monthTold = `
  case when h.quota_resets_at is null or h.quota_resets_at > h.quota_seen_at + interval '26 hours'
    then h.quota_limit end`;

const selectCounted = `
  select
    coalesce(
      case when month.is_counted then h.used + h.used_by_others end,
      (select sum(units) from ops.spend s where s.listing = $1 and s.hour >= $3 and s.hour <= $2),
      0)::float8 as used,
    coalesce((
      select sum(units) from ops.spend s
      where s.listing = $1 and s.hour > $2::timestamptz - interval '24 hours' and s.hour <= $2), 0)::float8
      as "usedToday",
    case when month.is_counted then h.month_ends_at end as "endsAt",
    case when told.counts then h.quota_remaining end as remaining,
    case when told.counts then told.resets_at end as "resetsAt",
    coalesce(h.quota_resets_at <= $2::timestamptz + interval '1 hour', false) as "turnsSoon",
    ${monthTold} as "quotaTold"
  from (select 1) as one
  left join ops.listing h on h.listing = $1
  cross join lateral (
    select h.month_limit is not null and h.month_starts_at <= $2 and $2 < h.month_ends_at as is_counted) as month
  -- A counter without a reset time is believed for one hour.
  cross join lateral (select coalesce(h.quota_resets_at, h.quota_seen_at + interval '1 hour') as resets_at) as reset
  cross join lateral (
    select reset.resets_at, reset.resets_at > $2 and coalesce(h.quota_key = $4, true)
      and coalesce(h.quota_seen_at <= $2::timestamptz + interval '1 minute', true) as counts
  ) as told`;
