import type { ListingTerms } from '../../crawl/status/quota-left.ts';
import { listings } from '../../source/listings/index.ts';
import type { Config } from '../config.ts';

/** Limits and price of the grocery listing. */
export function groceryTerms({ listings: configured, upstream }: Pick<Config, 'listings' | 'upstream'>): ListingTerms {
  const { requestsPerSecond, monthlyQuota, windows, weights, reserve, subscription, local, key } = configured.grocery;
  return {
    listing: 'grocery',
    key,
    requestsPerSecond,
    monthlyQuota,
    windows,
    weights,
    reserve,
    subscription,
    bonusOffer: listings.grocery.bonusOffer,
    isFree: (upstream === 'simulator' || local) && subscription.plan === null,
  };
}
