import type { Amount } from './amount.ts';
import { billingMonth } from './billing-month.ts';
import type { Plan } from './plan.ts';

/** One uninterrupted subscription to a listing: it renews every month until it ends. Dates are `YYYY-MM-DD`, UTC. */
export interface Subscription {
  /** null: not told. */
  readonly plan: Plan | null;
  /** null: not told. */
  readonly startedOn: string | null;
  /** The day from which it no longer holds; null: it renews. */
  readonly endedOn: string | null;
  /** Requests a month that the listing promised on top of the plan's when the subscription began. */
  readonly bonusRequests: number;
  /** For requests beyond the plan's; null: not told. */
  readonly pricePerExtraRequest: Amount | null;
}

/** What is known of somebody who has told nothing. */
export const unknownSubscription: Subscription = {
  plan: null,
  startedOn: null,
  endedOn: null,
  bonusRequests: 0,
  pricePerExtraRequest: null,
};

/** Requests that a listing adds every month to the paid plans of those who subscribe in time. */
export interface BonusOffer {
  /** Last day on which a subscription that begins has them. */
  readonly startedUntil: string;
}

/**
 * Section 8 of the specification, of one of the new real-estate listings; it does not say which, so both carry it and
 * the subscriber's variables say where and how many. Whoever subscribes from 1 August has the standard limits.
 */
export const newListingBonus: BonusOffer = { startedUntil: '2026-07-31' };

/**
 * The bonus requests of a subscription on a day, and why not where there are none. They stay as long as the
 * subscription renews, whenever that is; one that was made after an earlier one had been cancelled has none, on
 * whatever day it began.
 */
export function bonusOn(
  on: string,
  subscription: Subscription,
  { offer, hasCancelled = false }: { offer: BonusOffer | null; hasCancelled?: boolean },
): Bonus {
  const { plan, startedOn, bonusRequests } = subscription;
  if (offer === null) return none('this listing offers none');
  if (!holdsOn(on, subscription)) return none('the subscription does not hold on that day');
  if (plan === null) return none('the plan is not told');
  if (plan.isFree) return none('they are for paid plans');
  if (startedOn === null) return none('the day on which the subscription began is not told');
  if (startedOn > offer.startedUntil) return none(`the subscription began after ${offer.startedUntil}`);
  if (hasCancelled) return none('an earlier subscription was cancelled, which loses them');
  return { requests: bonusRequests, why: null };
}

interface Bonus {
  readonly requests: number;
  /** Why there are none; null: there are as many as were promised. */
  readonly why: string | null;
}

/** Whether a subscription is in force, and so billed, on a day. */
function holdsOn(on: string, { startedOn, endedOn }: Subscription): boolean {
  return (startedOn === null || startedOn <= on) && (endedOn === null || on < endedOn);
}

/** What a month costs on a day: everybody subscribed to a listing and to the one that replaces it pays for both. */
export function pricePerMonthOn(on: string, subscriptions: readonly Subscription[]): Amount | null {
  const prices = subscriptions
    .filter((subscription) => holdsOn(on, subscription))
    .map(({ plan }) => plan?.pricePerMonth ?? null);
  if (prices.length === 0 || prices.includes(null)) return null;
  const known = prices as readonly Amount[];
  const { currency } = known[0]!;
  return known.every((price) => price.currency === currency)
    ? { micros: known.reduce((sum, { micros }) => sum + micros, 0), currency }
    : null;
}

/** Whether both the replaced and the replacing listing are billed on a day. */
export function isBilledTwice(on: string, replaced: Subscription, replacing: Subscription): boolean {
  return holdsOn(on, replaced) && holdsOn(on, replacing);
}

/**
 * What is given back, on request, of the present month of a replaced listing: the share of its quota that was not used,
 * once the replacing listing is subscribed. Fractions of a cent are not given back.
 */
export function refundFor(
  on: string,
  {
    replaced,
    replacing,
    quota,
    used,
  }: {
    replaced: Subscription;
    replacing: Subscription;
    /** Requests of the replaced plan in a month; null: not known. */
    quota: number | null;
    used: number;
  },
): Refund {
  const price = replaced.plan?.pricePerMonth ?? null;
  if (!holdsOn(on, replaced)) return { amount: null, why: 'the replaced listing is not subscribed' };
  if (!holdsOn(on, replacing)) return { amount: null, why: 'the listing that replaces it has to be subscribed first' };
  if (price === null) return { amount: null, why: 'the price of the plan is not known' };
  if (price.micros === 0) return { amount: price, why: 'the plan is free' };
  if (quota === null || quota <= 0) return { amount: null, why: 'the quota of the plan is not known' };
  const unused = Math.min(Math.max(quota - used, 0), quota);
  // Exact: a price in cents times a quota stays below 2^53.
  const cents = Math.floor(((price.micros / microsPerCent) * unused) / quota);
  return { amount: { micros: cents * microsPerCent, currency: price.currency }, why: null };
}

export interface Refund {
  /** null: none can be told. */
  readonly amount: Amount | null;
  readonly why: string | null;
}

/**
 * Requests a month on a day: those of the plan, or those that are told instead, and the bonus. null: not known; 0:
 * unlimited.
 */
export function monthlyQuotaOn(
  on: string,
  subscription: Subscription,
  terms: { offer: BonusOffer | null; told: number | null; hasCancelled?: boolean },
): number | null {
  const standard = terms.told ?? subscription.plan?.monthlyQuota ?? null;
  if (standard === null || standard === 0) return standard;
  return standard + bonusOn(on, subscription, terms).requests;
}

/**
 * What a month's requests have cost so far: the plan's price and every request beyond what it includes. The price falls
 * due when the month begins, so it is whole from the first request. null: a part of it is not known.
 */
export function costOf(
  { plan, pricePerExtraRequest }: Pick<Subscription, 'plan' | 'pricePerExtraRequest'>,
  { used, included }: { used: number; included: number | null },
): Amount | null {
  const price = plan?.pricePerMonth ?? null;
  if (price === null) return null;
  // How many of them the price includes is not told.
  if (included === null || included === 0) return pricePerExtraRequest?.micros ? null : price;
  const extra = Math.max(0, used - included);
  if (extra === 0) return price;
  if (pricePerExtraRequest === null || pricePerExtraRequest.currency !== price.currency) return null;
  return { micros: price.micros + extra * pricePerExtraRequest.micros, currency: price.currency };
}

/** The month in which a subscription counts an instant. */
export function monthOf({ startedOn }: Pick<Subscription, 'startedOn'>, instant: Date) {
  return billingMonth(startedOn, instant);
}

const microsPerCent = 10_000;

function none(why: string): Bonus {
  return { requests: 0, why };
}
