import { costOf, type Subscription, unitsOf } from '../../source/listings/index.ts';
import type { Cost } from '../ledger/run-cost.ts';

/** What a listing's month will have taken by its end, at the pace of the last days. */
export interface MonthForecast {
  /** First instant of the next month of the subscription. */
  readonly endsAt: Date;
  /** As they count against the quota. */
  readonly requestsADay: number;
  readonly requests: number;
  /** Requests beyond the quota; 0 without one. */
  readonly beyondQuota: number;
  /** The plan's price and the requests beyond it; null: not known. */
  readonly cost: Cost | null;
}

interface MonthSpent {
  readonly now: Date;
  readonly endsAt: Date;
  readonly used: number;
  /** 0: unlimited; null: not known. */
  readonly included: number | null;
  /** Null: nothing was asked lately. */
  readonly requestsADay: number | null;
}

/** Null where nothing was asked lately: there is no pace to go by. */
export function forecastMonth(
  { now, endsAt, used, included, requestsADay }: MonthSpent,
  subscription: Subscription | undefined,
): MonthForecast | null {
  if (requestsADay === null) return null;
  const days = Math.max(0, endsAt.getTime() - now.getTime()) / 86_400_000;
  const requests = Math.round(used + requestsADay * days);
  const cost = subscription ? costOf(subscription, { used: requests, included }) : null;
  return {
    endsAt,
    requestsADay: Math.round(requestsADay),
    requests,
    beyondQuota: included ? Math.max(0, requests - included) : 0,
    cost: cost && { amount: unitsOf(cost), currency: cost.currency },
  };
}
