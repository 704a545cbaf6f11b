import type { RegionCode } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import { hasFailedTooOften } from './ledger/runs.ts';
import { readLivingWorkers } from './ledger/workers.ts';
import type { Job } from './queue/define-job.ts';
import { isWaiting } from './queue/paused-until.ts';

/** Jobs that carry out the phases of a run. */
export interface RunJobs {
  readonly crawlTaxonomy: Job<CrawlContext, { run: number }>;
  readonly crawlRun: Readonly<Record<RegionCode, Job<CrawlContext, { run: number; worker: string }>>>;
  readonly finishCrawl: Job<CrawlContext, { run: number }>;
}

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'runs' | 'ownership' | 'queues'>;

/**
 * Enqueues a run's next step. Safe to call at any time, from any process: after a job, by the watchdog, after a crash.
 * The queue's content is not inspected; a job that is already waiting is not added twice.
 */
export async function dispatch(
  { db, clock, runs, ownership, queues }: Needs,
  jobs: RunJobs,
  runId: number,
): Promise<void> {
  const run = await ownership.take(runId);
  if (!run || isWaiting(run, clock.now()) || hasFailedTooOften(run)) return;
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
      // Finishing sends no requests, so a pause does not apply.
      if (run.pausedFor !== null) await runs.goOn(runId);
      return queues.enqueue(jobs.finishCrawl, { run: runId });
    case 'over':
  }
}
