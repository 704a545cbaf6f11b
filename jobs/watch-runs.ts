import { z } from 'zod';
import { openDueNights } from '../src/crawl/open-due-nights.ts';
import { isRefreshPaused } from '../src/crawl/refresh-stores.ts';
import { searchNight } from '../src/crawl/search-products.ts';
import { searchedRegions } from '../src/source/endpoints/index.ts';
import { defineJob } from './context.ts';
import { crawlStores } from './crawl-stores.ts';
import { followNights } from './follow-nights.ts';
import { searchProducts } from './search-products.ts';
import { sendAlerts } from './send-alerts.ts';

/**
 * The watchdog: continues open runs and store refreshes, opens due nights that have no run, records missed nights, and
 * enqueues followers, searches and alerts.
 */
export const watchRuns = defineJob({
  name: 'watch-runs',
  payload: z.object({}),
  key: () => 'watch-runs',

  async run(_, context) {
    // Open runs first: a night that cannot be opened must not delay them.
    for (const run of await context.runs.allOpen()) await context.dispatch(run.runId);
    for (const run of await openDueNights(context)) await context.dispatch(run.runId);
    if (await context.followers.isAnythingOwed()) await context.queues.enqueue(followNights, {});
    const now = context.clock.now();
    for (const region of searchedRegions) {
      if (await context.searches.anyOutstanding(searchNight(region, now), now))
        await context.queues.enqueue(searchProducts, { region });
    }
    const refresh = await context.stores.openOne();
    if (refresh && !isRefreshPaused(refresh, now))
      await context.queues.enqueue(crawlStores, { refresh: refresh.refreshId });
    if (context.alerts) await context.queues.enqueue(sendAlerts, {});
  },
});
