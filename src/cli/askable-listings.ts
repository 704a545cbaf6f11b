import { askedListings } from '../config/asked-listings.ts';
import type { Config } from '../config.ts';
import type { ListingName } from '../model/index.ts';

/** The listings this installation can ask, with their monthly quotas; with the simulator, the one that is crawled. */
export function askableListings(config: Config): ReadonlyMap<ListingName, number | null> {
  return new Map(askedListings(config).map((name) => [name, config.listings[name].monthlyQuota]));
}
