import type { Amount } from './amount.ts';
import type { Plan } from './listing.ts';

/** A continuous subscription to a listing, renewed monthly. Dates are `YYYY-MM-DD`, UTC. */
export interface Subscription {
  /** Null: unknown. */
  readonly plan: Plan | null;
  /** Null: unknown. */
  readonly startedOn: string | null;
  /** Price of each request beyond the quota; null: unknown. */
  readonly pricePerExtraRequest: Amount | null;
}

type Prices = Pick<Subscription, 'plan' | 'pricePerExtraRequest'>;

/** Subscription without any configuration. */
export const unknownSubscription: Subscription = { plan: null, startedOn: null, pricePerExtraRequest: null };

/**
 * Refund on request for the current month of a replaced listing: the share of its price by unused quota, rounded down
 * to cents. Null: its price or quota is unknown.
 */
export function refundFor(plan: Plan | null, quota: number | null, used: number): Amount | null {
  const price = plan?.pricePerMonth ?? null;
  if (price === null || price.micros === 0) return price;
  if (quota === null || quota <= 0) return null;
  const unused = Math.min(Math.max(quota - used, 0), quota);
  // Exact: a price in cents times a quota stays below 2^53.
  const cents = Math.floor(((price.micros / microsPerCent) * unused) / quota);
  return { micros: cents * microsPerCent, currency: price.currency };
}

const microsPerCent = 10_000;

/** Cost of a month so far: the plan's full price plus requests beyond the quota. Null: a part is unknown. */
export function costOf(prices: Prices, { used, included }: { used: number; included: number | null }): Amount | null {
  const price = prices.plan?.pricePerMonth ?? null;
  if (price === null) return null;
  // The number of included requests is unknown.
  if (included === null || included === 0) return prices.pricePerExtraRequest?.micros ? null : price;
  const beyond = costBeyond(prices, price, Math.max(0, used - included));
  return beyond === null ? null : { micros: price.micros + beyond, currency: price.currency };
}

/** Millionths for requests beyond the quota; null: their price is unknown. */
function costBeyond({ pricePerExtraRequest: extra }: Prices, { currency }: Amount, requests: number): number | null {
  if (requests > 0 && extra?.currency !== currency) return null;
  return requests * (extra?.micros ?? 0);
}

/** Cost of requests; null with a reason if unknown. */
export type Cost = { readonly amount: Amount; readonly why: null } | { readonly amount: null; readonly why: string };

/**
 * Cost of requests: those within the quota share the plan's price, others have a price each. `included`: requests of
 * the month (null: unknown; 0: unlimited); `used`: requests sent before.
 */
export function costOfRequests(
  prices: Prices,
  { requests, used, included }: { requests: number; used: number; included: number | null },
): Cost {
  const price = prices.plan?.pricePerMonth ?? null;
  if (price === null) return { amount: null, why: 'the price of the plan is unknown' };
  if (included === null || included === 0) {
    if (price.micros === 0 && !prices.pricePerExtraRequest?.micros) return { amount: price, why: null };
    return { amount: null, why: 'the number of requests included in the price is unknown' };
  }
  const within = Math.min(requests, Math.max(0, included - used));
  const beyond = costBeyond(prices, price, requests - within);
  if (beyond === null) return { amount: null, why: 'the price of requests beyond the quota is unknown' };
  const micros = Math.round((price.micros * within) / included) + beyond;
  return { amount: { micros, currency: price.currency }, why: null };
}

/**
 * Billing month that contains an instant; its end is exclusive. It starts at midnight UTC on the subscription's day of
 * the month, or on the last day of shorter months. Without a subscription date it is the calendar month.
 */
export function monthOf({ startedOn }: Pick<Subscription, 'startedOn'>, instant: Date) {
  const day = startedOn === null ? 1 : Number(startedOn.slice(8, 10));
  const year = instant.getUTCFullYear();
  const month = instant.getUTCMonth();
  const turn = turnOf(year, month, day);
  return instant < turn
    ? { startsAt: turnOf(year, month - 1, day), endsAt: turn }
    : { startsAt: turn, endsAt: turnOf(year, month + 1, day) };
}

function turnOf(year: number, month: number, day: number): Date {
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(year, month, Math.min(day, lastDay)));
}
