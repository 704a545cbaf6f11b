import type { ListingName } from '../../base/model/index.ts';
import type { Config } from '../config.ts';

/** The listings this installation asks: those that are configured; with the simulator, the one that is crawled. */
export function askedListings({ listings, upstream }: Pick<Config, 'listings' | 'upstream'>): ListingName[] {
  return Object.values(listings)
    .filter(({ name, baseUrl }) => baseUrl !== null || (upstream === 'simulator' && name === 'grocery'))
    .map(({ name }) => name);
}
