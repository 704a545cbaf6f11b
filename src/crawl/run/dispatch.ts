import type { RegionCode } from '../../base/model/index.ts';
import type { CrawlContext } from '../context.ts';
import type { Job } from '../queue/define-job.ts';
import { readLivingWorkers } from '../workers.ts';
import { hasFailedTooOften } from './runs.ts';

/** Jobs that carry out runs: the phases of a night, and the units of others. */
export interface RunJobs {
  readonly crawlTaxonomy: Job<CrawlContext, { run: number }>;
  readonly crawlRun: Readonly<Record<RegionCode, Job<CrawlContext, { run: number; worker: string }>>>;
  readonly finishCrawl: Job<CrawlContext, { run: number }>;
  readonly crawlStores: Job<CrawlContext, { run: number | null }>;
  readonly searchProducts: Job<CrawlContext, object>;
}

type Needs = Pick<CrawlContext, 'db' | 'runs' | 'queues'>;

/**
 * Enqueues a run's next step. Safe to call at any time, from any process: after a job, by the watchdog, after a crash.
 * The queue's content is not inspected; a job that is already waiting is not added twice.
 */
export async function dispatch({ db, runs, queues }: Needs, jobs: RunJobs, runId: number): Promise<void> {
  const run = await runs.find(runId);
  if (run?.status !== 'open' || run.stop !== null || hasFailedTooOften(run)) return;
  switch (run.phase) {
    case 'taxonomy':
      return queues.enqueue(jobs.crawlTaxonomy, { run: runId });
    case 'categories':
    case 'details': {
      // One job per live process, so that all can work on the run; `any` if no process is live yet.
      const workers = await readLivingWorkers(db);
      for (const worker of workers.length > 0 ? workers : ['any'])
        await queues.enqueue(jobs.crawlRun[run.region], { run: runId, worker });
      return;
    }
    case 'finishing':
      return queues.enqueue(jobs.finishCrawl, { run: runId });
    case 'units':
      return run.kind === 'stores'
        ? queues.enqueue(jobs.crawlStores, { run: runId })
        : queues.enqueue(jobs.searchProducts, {});
    case 'over':
  }
}
