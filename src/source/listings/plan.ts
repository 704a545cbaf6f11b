import { type Amount, amountOf } from './amount.ts';

/**
 * What a listing sells: requests for a price. Limits that are not published are null; then its headers tell, or the
 * variables.
 */
export interface Plan {
  readonly name: string;
  /** Nothing is paid for it; bonus requests are for paid plans. */
  readonly isFree: boolean;
  readonly pricePerMonth: Amount | null;
  /** Requests a month. */
  readonly monthlyQuota: number | null;
  readonly requestsPerSecond: number | null;
  /** Where these come from. */
  readonly source: string;
}

/**
 * The plans of the real-estate listings, old and new alike: the listing that replaces another keeps its prices and
 * limits.
 */
export const propertyPlans: readonly Plan[] = [
  planOf('Basic', { price: '0', source: 'section 8 of the specification: a free tier exists' }),
  planOf('Pro', { price: '9.99', source: 'section 8 of the specification' }),
  planOf('Ultra', { price: '49.99', source: 'section 8 of the specification' }),
  planOf('Mega', { price: '99.99', source: 'section 8 of the specification' }),
];

/** Plans whose names are known and whose prices are not published. */
export const unpricedPlans: readonly Plan[] = [
  planOf('Basic', { price: '0', source: "the gateway's free tier" }),
  ...['Pro', 'Ultra', 'Mega'].map((name) => planOf(name, { price: null, source: 'the price is not published' })),
];

function planOf(name: string, { price, source }: { price: string | null; source: string }): Plan {
  return {
    name,
    isFree: price === '0',
    pricePerMonth: price === null ? null : amountOf(price, 'USD'),
    monthlyQuota: null,
    requestsPerSecond: null,
    source,
  };
}
