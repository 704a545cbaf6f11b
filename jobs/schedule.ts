import { regions } from '../src/base/model/index.ts';
import { searchedRegions } from '../src/source/endpoints/index.ts';
import type { JobContext } from './context.ts';
import { crawlStores } from './crawl-stores.ts';
import { probeListings } from './probe-listings.ts';
import { pruneArchive } from './prune-archive.ts';
import { searchProducts } from './search-products.ts';
import { verifyNights } from './verify-nights.ts';
import { watchRuns } from './watch-runs.ts';

/** Enters the schedule into the queues; unchanged entries are left alone. Nights are opened by `watch-runs`. */
export async function setSchedule({ queues, settings }: Pick<JobContext, 'queues' | 'settings'>): Promise<void> {
  const inUtc = (pattern: string) => ({ pattern, timeZone: 'UTC' });
  // Also wakes the queues in case a lost LISTEN connection leaves them idle (up to an hour on PostgreSQL).
  await queues.repeat(watchRuns, 'watch-runs', inUtc('*/30 * * * * *'), {});
  // Each probe counts against the monthly quota, which may be as small as 500.
  await queues.repeat(probeListings, 'probe-listings', inUtc('10 */6 * * *'), {});
  // In daytime, when no night is crawled.
  await queues.repeat(pruneArchive, 'prune-archive', inUtc('0 14 * * *'), {});
  await queues.repeat(verifyNights, 'verify-nights', inUtc('30 14 * * *'), {});
  // Weekly, because stores seldom change.
  const onMonday = { pattern: '0 11 * * 1', timeZone: 'Europe/London' };
  await queues.repeat(crawlStores, 'refresh-stores', onMonday, { run: null });
  // When the night begins, in each crawled region with a search endpoint.
  for (const region of searchedRegions.filter((each) => settings.regions.includes(each))) {
    const { hour, minute } = settings.nightAt[region];
    const atNight = { pattern: `${minute} ${hour} * * *`, timeZone: regions[region].timeZone };
    await queues.repeat(searchProducts, `search-${region}`, atNight, {});
  }
}
