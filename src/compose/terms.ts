import type { Config } from '../config.ts';
import { listings } from '../listings/index.ts';
import type { ListingTerms } from '../status/quota-left.ts';

/** What the grocery listing allows and costs, as configured. */
export function groceryTerms({ listings: configured, upstream }: Pick<Config, 'listings' | 'upstream'>): ListingTerms {
  const { requestsPerSecond, monthlyQuota, subscription, local } = configured.grocery;
  return {
    listing: 'grocery',
    requestsPerSecond,
    monthlyQuota,
    subscription,
    bonusOffer: listings.grocery.bonusOffer,
    isFree: (upstream === 'simulator' || local) && subscription.plan === null,
  };
}
