import type { ListingName } from '../../base/model/index.ts';
import type { Config } from '../config.ts';

/** Names of the listings in use: the configured ones; with the simulator, the grocery listing. */
export function askedListings({ listings, upstream }: Pick<Config, 'listings' | 'upstream'>): ListingName[] {
  return Object.values(listings)
    .filter(({ name, baseUrl }) => baseUrl !== null || (upstream === 'simulator' && name === 'grocery'))
    .map(({ name }) => name);
}
