import type { Config } from '../config.ts';
import { listings } from '../listings/index.ts';
import type { ListingTerms } from '../status/quota-left.ts';

/** What the grocery listing allows and costs, as configured. */
export function groceryTerms({
  listings: configured,
  upstream,
  runCaps: caps,
}: Pick<Config, 'listings' | 'upstream' | 'runCaps'>): ListingTerms {
  const { requestsPerSecond, monthlyQuota, windows, weights, reserve, subscription, local, key } = configured.grocery;
  return {
    listing: 'grocery',
    key,
    requestsPerSecond,
    monthlyQuota,
    windows,
    weights,
    reserve,
    caps,
    subscription,
    bonusOffer: listings.grocery.bonusOffer,
    isFree: (upstream === 'simulator' || local) && subscription.plan === null,
  };
}
