import type { Amount } from './amount.ts';
import type { Subscription } from './subscription.ts';

/** What some requests cost; null: it cannot be told, for this reason. */
export type Cost = { readonly amount: Amount; readonly why: null } | { readonly amount: null; readonly why: string };

/**
 * What requests cost: each within the quota its share of the plan's price, each beyond it what a request more costs.
 * `included` are the month's requests (null: not known; 0: unlimited), `used` those spent before.
 */
export function costOfRequests(
  { plan, pricePerExtraRequest: extra }: Pick<Subscription, 'plan' | 'pricePerExtraRequest'>,
  { requests, used, included }: { requests: number; used: number; included: number | null },
): Cost {
  const price = plan?.pricePerMonth ?? null;
  if (price === null) return { amount: null, why: 'the price of the plan is not told' };
  if (included === null || included === 0) {
    if (price.micros === 0 && !extra?.micros) return { amount: price, why: null };
    return { amount: null, why: 'the requests that the price includes are not told' };
  }
  const within = Math.min(requests, Math.max(0, included - used));
  const beyond = requests - within;
  if (beyond > 0 && (extra === null || extra.currency !== price.currency)) {
    return { amount: null, why: 'the price of requests beyond the quota is not told' };
  }
  const micros = Math.round((price.micros * within) / included) + beyond * (extra?.micros ?? 0);
  return { amount: { micros, currency: price.currency }, why: null };
}
