import type { ListingLimits } from '../../src/gateway/limits/limits.ts';
import { unknownSubscription } from '../../src/source/listings/index.ts';

/** Limits of a listing that has only the given ones. */
export function listingLimits(given: Partial<ListingLimits> = {}): ListingLimits {
  return {
    host: 'grocery.simulator',
    requestsPerSecond: 0,
    monthlyQuota: null,
    windows: [],
    subscription: unknownSubscription,
    keyVariable: 'GROCERY_KEY',
    key: { reveal: () => 'key' },
    ...given,
  };
}
