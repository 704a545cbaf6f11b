import type { ListingLimits } from '../../src/gateway/limits/spend.ts';
import { unknownSubscription } from '../../src/source/listings/index.ts';

/** Limits of a listing that has only the given ones. */
export function listingLimits(given: Partial<ListingLimits> = {}): ListingLimits {
  return {
    host: 'grocery.simulator',
    requestsPerSecond: 0,
    monthlyQuota: null,
    windows: [],
    weights: {},
    reserve: null,
    subscription: unknownSubscription,
    bonusOffer: null,
    keyVariable: 'GROCERY_KEY',
    key: { reveal: () => 'key' },
    ...given,
  };
}
