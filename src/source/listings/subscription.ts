import type { Amount } from './amount.ts';
import { billingMonth } from './billing-month.ts';
import type { Plan } from './plan.ts';

/** A continuous subscription to a listing, renewed monthly until it ends. Dates are `YYYY-MM-DD`, UTC. */
export interface Subscription {
  /** Null: unknown. */
  readonly plan: Plan | null;
  /** Null: unknown. */
  readonly startedOn: string | null;
  /** First day after the subscription; null: it renews. */
  readonly endedOn: string | null;
  /** Additional requests per month, promised when the subscription began. */
  readonly bonusRequests: number;
  /** Price of each request beyond the quota; null: unknown. */
  readonly pricePerExtraRequest: Amount | null;
}

/** Subscription without any configuration. */
export const unknownSubscription: Subscription = {
  plan: null,
  startedOn: null,
  endedOn: null,
  bonusRequests: 0,
  pricePerExtraRequest: null,
};

/** Additional monthly requests for paid plans that begin in time. */
export interface BonusOffer {
  /** Last start date that qualifies. */
  readonly startedUntil: string;
}

/**
 * From section 8 of the specification, for one of the new real-estate listings; it does not name which. Both have the
 * offer, and the configuration sets the number. Subscriptions from 1 August have standard limits.
 */
export const newListingBonus: BonusOffer = { startedUntil: '2026-07-31' };

/**
 * Bonus requests of a subscription on a date, with a reason if there are none. They last while the subscription renews;
 * a subscription after a cancelled one has none.
 */
export function bonusOn(
  on: string,
  subscription: Subscription,
  { offer, hasCancelled = false }: { offer: BonusOffer | null; hasCancelled?: boolean },
): Bonus {
  const { plan, startedOn, bonusRequests } = subscription;
  if (offer === null) return none('this listing offers none');
  if (!holdsOn(on, subscription)) return none('the subscription is not active on that day');
  if (plan === null) return none('the plan is unknown');
  if (plan.isFree) return none('bonus requests are for paid plans');
  if (startedOn === null) return none('the start date of the subscription is unknown');
  if (startedOn > offer.startedUntil) return none(`the subscription began after ${offer.startedUntil}`);
  if (hasCancelled) return none('an earlier subscription was cancelled, so the bonus is lost');
  return { requests: bonusRequests, why: null };
}

interface Bonus {
  readonly requests: number;
  /** Reason for no bonus; null: the bonus applies. */
  readonly why: string | null;
}

/** Whether a subscription is active, and therefore billed, on a date. */
function holdsOn(on: string, { startedOn, endedOn }: Subscription): boolean {
  return (startedOn === null || startedOn <= on) && (endedOn === null || on < endedOn);
}

/** Total monthly price on a date; subscriptions to a replaced listing and its replacement are both billed. */
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

/** Whether the replaced and the replacing listing are both billed on a date. */
export function isBilledTwice(on: string, replaced: Subscription, replacing: Subscription): boolean {
  return holdsOn(on, replaced) && holdsOn(on, replacing);
}

/**
 * Refund on request for the current month of a replaced listing: the share of unused quota, once the replacing listing
 * is subscribed. Rounded down to cents.
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
    /** Monthly requests of the replaced plan; null: unknown. */
    quota: number | null;
    used: number;
  },
): Refund {
  const price = replaced.plan?.pricePerMonth ?? null;
  if (!holdsOn(on, replaced)) return { amount: null, why: 'the replaced listing is not subscribed' };
  if (!holdsOn(on, replacing)) return { amount: null, why: 'the listing that replaces it has to be subscribed first' };
  if (price === null) return { amount: null, why: 'the price of the plan is unknown' };
  if (price.micros === 0) return { amount: price, why: 'the plan is free' };
  if (quota === null || quota <= 0) return { amount: null, why: 'the quota of the plan is unknown' };
  const unused = Math.min(Math.max(quota - used, 0), quota);
  // Exact: a price in cents times a quota stays below 2^53.
  const cents = Math.floor(((price.micros / microsPerCent) * unused) / quota);
  return { amount: { micros: cents * microsPerCent, currency: price.currency }, why: null };
}

export interface Refund {
  /** Null: unknown, see `why`. */
  readonly amount: Amount | null;
  readonly why: string | null;
}

/** Requests per month on a date: of the plan or as configured, plus the bonus. Null: unknown; 0: unlimited. */
export function monthlyQuotaOn(
  on: string,
  subscription: Subscription,
  terms: { offer: BonusOffer | null; told: number | null; hasCancelled?: boolean },
): number | null {
  const standard = terms.told;
  if (standard === null || standard === 0) return standard;
  return standard + bonusOn(on, subscription, terms).requests;
}

/** Cost of a month so far: the plan's full price plus requests beyond the quota. Null: a part is unknown. */
export function costOf(
  { plan, pricePerExtraRequest }: Pick<Subscription, 'plan' | 'pricePerExtraRequest'>,
  { used, included }: { used: number; included: number | null },
): Amount | null {
  const price = plan?.pricePerMonth ?? null;
  if (price === null) return null;
  // The number of included requests is unknown.
  if (included === null || included === 0) return pricePerExtraRequest?.micros ? null : price;
  const extra = Math.max(0, used - included);
  if (extra === 0) return price;
  if (pricePerExtraRequest === null || pricePerExtraRequest.currency !== price.currency) return null;
  return { micros: price.micros + extra * pricePerExtraRequest.micros, currency: price.currency };
}

/** Billing month that contains an instant. */
export function monthOf({ startedOn }: Pick<Subscription, 'startedOn'>, instant: Date) {
  return billingMonth(startedOn, instant);
}

const microsPerCent = 10_000;

function none(why: string): Bonus {
  return { requests: 0, why };
}
