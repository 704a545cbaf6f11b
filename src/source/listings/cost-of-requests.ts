import type { Amount } from './amount.ts';
import type { Subscription } from './subscription.ts';

/** Cost of requests; null with a reason if unknown. */
export type Cost = { readonly amount: Amount; readonly why: null } | { readonly amount: null; readonly why: string };

/**
 * Cost of requests: those within the quota share the plan's price, others have a price each. `included`: requests of
 * the month (null: unknown; 0: unlimited); `used`: requests sent before.
 */
export function costOfRequests(
  { plan, pricePerExtraRequest: extra }: Pick<Subscription, 'plan' | 'pricePerExtraRequest'>,
  { requests, used, included }: { requests: number; used: number; included: number | null },
): Cost {
  const price = plan?.pricePerMonth ?? null;
  if (price === null) return { amount: null, why: 'the price of the plan is unknown' };
  if (included === null || included === 0) {
    if (price.micros === 0 && !extra?.micros) return { amount: price, why: null };
    return { amount: null, why: 'the number of requests included in the price is unknown' };
  }
  const within = Math.min(requests, Math.max(0, included - used));
  const beyond = requests - within;
  if (beyond > 0 && (extra === null || extra.currency !== price.currency)) {
    return { amount: null, why: 'the price of requests beyond the quota is unknown' };
  }
  const micros = Math.round((price.micros * within) / included) + beyond * (extra?.micros ?? 0);
  return { amount: { micros, currency: price.currency }, why: null };
}
