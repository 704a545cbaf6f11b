import { type Amount, amountOf } from './amount.ts';

/** A plan of a listing. Unpublished limits are null; headers or variables supply them. */
export interface Plan {
  readonly name: string;
  /** Whether the plan is free; bonus requests are for paid plans. */
  readonly isFree: boolean;
  readonly pricePerMonth: Amount | null;
  /** Requests per month. */
  readonly monthlyQuota: number | null;
  readonly requestsPerSecond: number | null;
  /** Source of these values. */
  readonly source: string;
}

/** Plans of the real-estate listings; the replacing listings keep prices and limits. */
export const propertyPlans: readonly Plan[] = [
  planOf('Basic', { price: '0', source: 'section 8 of the specification: a free tier exists' }),
  planOf('Pro', { price: '9.99', source: 'section 8 of the specification' }),
  planOf('Ultra', { price: '49.99', source: 'section 8 of the specification' }),
  planOf('Mega', { price: '99.99', source: 'section 8 of the specification' }),
];

/** Known plans with unpublished prices. */
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
