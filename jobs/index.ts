import type { RunJobs } from '../src/crawl/dispatch.ts';
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

/** All jobs, in the order of a night; a worker starts exactly this list. */
export const jobs: readonly AnyJob<JobContext>[] = [
  crawlTaxonomy,
  ...Object.values(crawlRun),
  finishCrawl,
  followNights,
  crawlStores,
  searchProducts,
  watchRuns,
  sendAlerts,
  probeListings,
  pruneArchive,
  verifyNights,
];

/** Scheduled jobs, which run whether or not a night is being crawled. */
const keepingJobs = new Set<AnyJob<JobContext>>([
  crawlStores,
  searchProducts,
  watchRuns,
  sendAlerts,
  probeListings,
  pruneArchive,
  verifyNights,
]);

/** Jobs that crawl an open night; they never open one. */
export const crawlJobs: readonly AnyJob<JobContext>[] = jobs.filter((job) => !keepingJobs.has(job));

/** Jobs to which the phases of a run are dispatched. */
export const runJobs: RunJobs = { crawlTaxonomy, crawlRun, finishCrawl };
