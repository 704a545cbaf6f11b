import type { RunJobs } from '../src/crawl/run/dispatch.ts';
import { watch } from '../src/crawl/run/watchdog.ts';
import { defineChore } from './context.ts';
import { crawlRun } from './crawl-run.ts';
import { crawlStores } from './crawl-stores.ts';
import { crawlTaxonomy } from './crawl-taxonomy.ts';
import { finishCrawl } from './finish-crawl.ts';
import { followNights } from './follow-nights.ts';
import { searchProducts } from './search-products.ts';
import { sendAlerts } from './send-alerts.ts';

/** Jobs to which the steps of runs are dispatched. */
export const runJobs: RunJobs = { crawlTaxonomy, crawlRun, finishCrawl, crawlStores, searchProducts };

/** Opens due nights, and enqueues whatever is left to do for runs, followers and alerts. */
export const watchRuns = defineChore('watch-runs', (context) =>
  watch(context, runJobs, [
    async () => (await context.followers.isAnythingOwed()) && context.queues.enqueue(followNights, {}),
    async () => context.alerts && context.queues.enqueue(sendAlerts, {}),
  ]),
);
