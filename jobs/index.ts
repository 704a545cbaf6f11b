import type { AnyJob } from '../src/crawl/queue/define-job.ts';
import type { JobContext } from './context.ts';
import { crawlRun } from './crawl-run.ts';
import { crawlStores } from './crawl-stores.ts';
import { crawlTaxonomy } from './crawl-taxonomy.ts';
import { finishCrawl } from './finish-crawl.ts';
import { followNights } from './follow-nights.ts';
import { probeListings } from './probe-listings.ts';
import { pruneArchive } from './prune-archive.ts';
import { searchProducts } from './search-products.ts';
import { sendAlerts } from './send-alerts.ts';
import { verifyNights } from './verify-nights.ts';
import { watchRuns } from './watch-runs.ts';

export { runJobs } from './watch-runs.ts';

/** Jobs that crawl an open night, in their order; they never open one. */
export const crawlJobs: readonly AnyJob<JobContext>[] = [
  crawlTaxonomy,
  ...Object.values(crawlRun),
  finishCrawl,
  followNights,
];

/** All jobs; a worker starts exactly this list. */
export const jobs: readonly AnyJob<JobContext>[] = [
  ...crawlJobs,
  crawlStores,
  searchProducts,
  watchRuns,
  sendAlerts,
  probeListings,
  pruneArchive,
  verifyNights,
];
