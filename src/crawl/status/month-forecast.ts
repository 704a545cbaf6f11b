import { amountText, costOf, type Subscription } from '../../source/listings/index.ts';
import type { Cost } from '../ledger/run-cost.ts';

/** Expected usage of a listing's month at its end, at the pace of the last days. */
export interface MonthForecast {
  /** First instant of the subscription's next month. */
  readonly endsAt: Date;
  /** Requests per day as counted against the quota. */
  readonly requestsADay: number;
  readonly requests: number;
  /** Requests beyond the quota; 0 if there is none. */
  readonly beyondQuota: number;
  /** The plan's price plus extra requests; null if unknown. */
  readonly cost: Cost | null;
}

interface MonthSpent {
  readonly now: Date;
  readonly endsAt: Date;
  readonly used: number;
  /** 0: unlimited; null: unknown. */
  readonly included: number | null;
  /** Null: no recent requests. */
  readonly requestsADay: number | null;
}

/** Null without recent requests, because there is no pace to extrapolate. */
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
    cost: cost && { amount: amountText(cost), currency: cost.currency },
  };
}
