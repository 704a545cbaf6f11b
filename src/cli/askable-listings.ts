import type { Config } from '../config.ts';
import type { ListingName } from '../model/index.ts';

/** The listings this installation can ask, with their monthly quotas; with the simulator, the one that is crawled. */
export function askableListings({ listings }: Config): ReadonlyMap<ListingName, number | null> {
  const asked = Object.values(listings).filter(({ name, baseUrl }) => name === 'grocery' || baseUrl !== null);
  return new Map(asked.map(({ name, monthlyQuota }) => [name, monthlyQuota]));
}
