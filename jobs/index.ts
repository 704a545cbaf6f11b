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
import { startCrawl } from './start-crawl.ts';
import { verifyNights } from './verify-nights.ts';
import { watchRuns } from './watch-runs.ts';

/** Every job, in the order things happen; a worker starts exactly this list. */
export const jobs: readonly AnyJob<JobContext>[] = [
  startCrawl,
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

/** Those that the clock has done, whether or not a night is crawled. */
const keepingJobs = new Set<AnyJob<JobContext>>([
  startCrawl,
  crawlStores,
  searchProducts,
  watchRuns,
  sendAlerts,
  probeListings,
  pruneArchive,
  verifyNights,
]);

/** Those that crawl a night somebody opened, and open none. */
export const crawlJobs: readonly AnyJob<JobContext>[] = jobs.filter((job) => !keepingJobs.has(job));

/** Those that can do nothing where nothing may be asked. */
export const askingJobs: readonly AnyJob<JobContext>[] = [crawlTaxonomy, ...Object.values(crawlRun)];

/** Those that a run's work is given to. */
export const runJobs: RunJobs = { crawlTaxonomy, crawlRun, finishCrawl };
