import type { ListingName } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { amountText, costOf, monthOf, type Subscription, unknownSubscription } from '../../source/listings/index.ts';
import type { Cost } from './cost.ts';
import { includedIn, monthReported, usedIn } from './quota-left.ts';

/** Listings with their quotas and, if known, their subscriptions. */
export type KnownListings = ReadonlyMap<
  ListingName,
  { readonly monthlyQuota: number | null; readonly subscription?: Subscription }
>;

export interface ListingStatus {
  readonly listing: ListingName;
  /** Requests sent in the current month of the subscription, or in the calendar month (UTC) if its start is unknown. */
  readonly requestsSpent: number;
  /** 0: unlimited; null: limited by the upstream's headers only. */
  readonly monthlyQuota: number | null;
  /** Cost of the month: price of the plan and of requests beyond it; null: unknown. */
  readonly cost: Cost | null;
  readonly state: 'ok' | 'quota' | 'denied' | 'failing';
  readonly pausedUntil: Date | null;
  readonly lastError: string | null;
  /** From the upstream's last headers. */
  readonly quotaRemaining: number | null;
  readonly lastOkAt: Date | null;
  /** Whether the key is subscribed, by the latest response that shows it; null if none does. */
  readonly isSubscribed: boolean | null;
}

/** Status of each listing, in their order. */
export async function readListings(db: Database, now: Date, listings: KnownListings): Promise<ListingStatus[]> {
  const starts = [...listings.values()].map(
    ({ subscription = unknownSubscription }) => monthOf(subscription, now).startsAt,
  );
  const rows = await camelRows<Omit<ListingStatus, 'monthlyQuota' | 'cost'> & { quotaReported: number | null }>(
    db,
    selectListings,
    [[...listings.keys()], now, starts],
  );
  return rows.map(({ quotaReported, ...row }) => {
    const { monthlyQuota, subscription } = listings.get(row.listing)!;
    const included = includedIn(monthlyQuota, quotaReported);
    const cost = subscription && costOf(subscription, { used: row.requestsSpent, included });
    return { ...row, monthlyQuota, cost: cost ? { amount: amountText(cost), currency: cost.currency } : null };
  });
}

const selectListings = `
  select
    asked.listing,
    ${usedIn('asked.listing', 'asked.month_starts_at')}::bigint as requests_spent,
    coalesce(stop.state, 'ok') as state,
    stop.paused_until,
    case when stop.state <> 'ok' then h.last_error end as last_error,
    h.quota_remaining,
    h.last_ok_at,
    case
      when h.last_error ilike '%not subscribed%' and h.last_error_at > coalesce(h.last_ok_at, '-infinity') then false
      when h.last_ok_at is not null then true
    end as is_subscribed,
    ${monthReported} as quota_reported
  from unnest($1::text[], $3::timestamptz[]) with ordinality as asked (listing, month_starts_at, position)
  left join ops.listing h on h.listing = asked.listing
  left join marts.listing_now stop on stop.listing = asked.listing
  order by asked.position`;
