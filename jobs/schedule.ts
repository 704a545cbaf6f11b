import { regionCodes, regions } from '../src/base/model/index.ts';
import { nightBeginsAt } from '../src/crawl/night-due.ts';
import { searchedRegions } from '../src/source/endpoints/index.ts';
import type { JobContext } from './context.ts';
import { crawlStores } from './crawl-stores.ts';
import { probeListings } from './probe-listings.ts';
import { pruneArchive } from './prune-archive.ts';
import { searchProducts } from './search-products.ts';
import { startCrawl } from './start-crawl.ts';
import { verifyNights } from './verify-nights.ts';
import { watchRuns } from './watch-runs.ts';

/** The clock: which job, which region, when. Cron patterns are local to the region, so a DST change moves nothing. */
export const schedule = regionCodes.map((region) => ({
  id: `nightly-${region}`,
  job: startCrawl,
  pattern: `${nightBeginsAt.minute} ${nightBeginsAt.hour} * * *`,
  timeZone: regions[region].timeZone,
  payload: { region },
}));

/** By day, when no night is crawled. */
export const pruning = { id: 'prune-archive', pattern: '0 14 * * *', timeZone: 'UTC' } as const;

/** Likewise: past nights are rebuilt and held against their certificates. */
export const verifying = { id: 'verify-nights', pattern: '30 14 * * *', timeZone: 'UTC' } as const;

/** After the nights have begun, in each region that can be searched. */
export const searching = searchedRegions.map((region) => ({
  id: `search-${region}`,
  pattern: '30 3 * * *',
  timeZone: regions[region].timeZone,
  payload: { region },
}));

/** Stores change seldom: once a week, when no night is crawled. */
export const refreshing = { id: 'refresh-stores', pattern: '0 11 * * 1', timeZone: 'Europe/London' } as const;

/** Every six hours: each probe is a request of the month's quota, and a free plan may have 500. */
const probing = { id: 'probe-listings', pattern: '10 */6 * * *', timeZone: 'UTC' } as const;

/** Keeps the queues awake where a lost LISTEN connection would let them sleep (up to an hour on PostgreSQL). */
export const heartbeat = { id: 'heartbeat', pattern: '*/30 * * * * *', timeZone: 'UTC' } as const;

/** Hands the schedule to the queues; entries that stand there unchanged are left alone. */
export async function setSchedule({ queues }: Pick<JobContext, 'queues'>): Promise<void> {
  for (const { id, job, pattern, timeZone, payload } of schedule)
    await queues.repeat(job, id, { pattern, timeZone }, payload);
  await queues.repeat(watchRuns, heartbeat.id, heartbeat, {});
  await queues.repeat(probeListings, probing.id, probing, {});
  await queues.repeat(pruneArchive, pruning.id, pruning, {});
  for (const { id, pattern, timeZone, payload } of searching)
    await queues.repeat(searchProducts, id, { pattern, timeZone }, payload);
  await queues.repeat(crawlStores, refreshing.id, refreshing, { refresh: null });
  await queues.repeat(verifyNights, verifying.id, verifying, {});
}
