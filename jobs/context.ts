import type { CrawlContext } from '../src/crawl/context.ts';
import type { Job } from '../src/crawl/queue/define-job.ts';

export type JobContext = CrawlContext;

/** Declares a job that receives a `JobContext`. */
export function defineJob<Payload>(job: Job<JobContext, Payload>): Job<JobContext, Payload> {
  return job;
}
