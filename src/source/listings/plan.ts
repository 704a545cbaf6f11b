import { type Amount, amountOf } from './amount.ts';

/** A plan of a listing. Requests per month and second are unpublished; headers or variables supply them. */
export interface Plan {
  readonly name: string;
  /** Whether the plan is free; bonus requests are for paid plans. */
  readonly isFree: boolean;
  /** Null: unpublished. */
  readonly pricePerMonth: Amount | null;
}

/** Plans of the real-estate listings (specification, section 8); the replacing listings keep them. */
export const propertyPlans: readonly Plan[] = [
  planOf('Basic', '0'),
  planOf('Pro', '9.99'),
  planOf('Ultra', '49.99'),
  planOf('Mega', '99.99'),
];

/** Known plans with unpublished prices, after the gateway's free tier. */
export const unpricedPlans: readonly Plan[] = [
  planOf('Basic', '0'),
  ...['Pro', 'Ultra', 'Mega'].map((name) => planOf(name, null)),
];

function planOf(name: string, price: string | null): Plan {
  return { name, isFree: price === '0', pricePerMonth: price === null ? null : amountOf(price, 'USD') };
}
