import { regions } from '../src/base/model/index.ts';
import { searchedRegions } from '../src/source/endpoints/index.ts';
import type { JobContext } from './context.ts';
import { crawlStores } from './crawl-stores.ts';
import { probeListings } from './probe-listings.ts';
import { pruneArchive } from './prune-archive.ts';
import { searchProducts } from './search-products.ts';
import { verifyNights } from './verify-nights.ts';
import { watchRuns } from './watch-runs.ts';

/** In daytime, when no night is crawled. */
export const pruning = { id: 'prune-archive', pattern: '0 14 * * *', timeZone: 'UTC' } as const;

/** In daytime: rebuilds past nights and compares them with their certificates. */
export const verifying = { id: 'verify-nights', pattern: '30 14 * * *', timeZone: 'UTC' } as const;

/** After the nights have begun, in each region with a search endpoint. */
export const searching = searchedRegions.map((region) => ({
  id: `search-${region}`,
  pattern: '30 3 * * *',
  timeZone: regions[region].timeZone,
  payload: { region },
}));

/** Weekly, in daytime, because stores seldom change. */
export const refreshing = { id: 'refresh-stores', pattern: '0 11 * * 1', timeZone: 'Europe/London' } as const;

/** Every six hours: each probe counts against the monthly quota, which may be as small as 500. */
const probing = { id: 'probe-listings', pattern: '10 */6 * * *', timeZone: 'UTC' } as const;

/** Also wakes the queues in case a lost LISTEN connection leaves them idle (up to an hour on PostgreSQL). */
const watching = { id: 'watch-runs', pattern: '*/30 * * * * *', timeZone: 'UTC' } as const;

/** Enters the schedule into the queues; unchanged entries are left alone. Nights are opened by `watch-runs`. */
export async function setSchedule({ queues }: Pick<JobContext, 'queues'>): Promise<void> {
  await queues.repeat(watchRuns, watching.id, watching, {});
  await queues.repeat(probeListings, probing.id, probing, {});
  await queues.repeat(pruneArchive, pruning.id, pruning, {});
  for (const { id, pattern, timeZone, payload } of searching)
    await queues.repeat(searchProducts, id, { pattern, timeZone }, payload);
  await queues.repeat(crawlStores, refreshing.id, refreshing, { refresh: null });
  await queues.repeat(verifyNights, verifying.id, verifying, {});
}
