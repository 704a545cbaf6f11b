import type { ListingName } from '../../base/model/index.ts';
import { grocery } from './grocery.ts';
import type { Listing } from './listing.ts';
import { property1, property2 } from './property.ts';
import { stores } from './stores.ts';

export { type Amount, amountOf, amountText, describeAmount } from './amount.ts';
export { type BillingMonth, billingMonth } from './billing-month.ts';
export { type Cost, costOfRequests } from './cost-of-requests.ts';
export * from './host.ts';
export { type Listing, type ListingHost, marketplacePrefix } from './listing.ts';
export type { Plan } from './plan.ts';
export * from './subscription.ts';
export { grocery, property1, property2, stores };

/** All listings by name. */
export const listings: Readonly<Record<ListingName, Listing>> = {
  grocery,
  stores,
  property_1: property1,
  property_2: property2,
};
