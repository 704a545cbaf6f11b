import type { CrawlContext } from '../src/crawl/context.ts';
import type { Job } from '../src/crawl/queue/define-job.ts';

/** What every job receives. */
export type JobContext = CrawlContext;

/** Declares a job over our context. */
export function defineJob<Payload>(job: Job<JobContext, Payload>): Job<JobContext, Payload> {
  return job;
}
