import type { RegionCode } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import { hasFailedTooOften } from './ledger/runs.ts';
import { readLivingWorkers } from './ledger/workers.ts';
import type { Job } from './queue/define-job.ts';
import { isWaiting } from './queue/paused-until.ts';

/** The jobs a run's work is given to. */
export interface RunJobs {
  readonly crawlTaxonomy: Job<CrawlContext, { run: number }>;
  readonly crawlRun: Readonly<Record<RegionCode, Job<CrawlContext, { run: number; worker: string }>>>;
  readonly finishCrawl: Job<CrawlContext, { run: number }>;
}

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'runs' | 'ownership' | 'queues'>;

/**
 * Puts a run's next step into the queues. Safe to call at any moment from anywhere: after every job, by the watchdog,
 * after a crash. What the queues hold is never asked; a job that waits there already is not added again.
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
    case 'listing':
    case 'details': {
      // One for each process that is there, so that all can work on it; none that is to come is kept waiting.
      const workers = await readLivingWorkers(db);
      for (const worker of workers.length > 0 ? workers : ['any'])
        await queues.enqueue(jobs.crawlRun[run.region], { run: runId, worker });
      return;
    }
    case 'finishing':
      // Asks nothing, so there is nothing to wait for.
      if (run.pausedFor !== null) await runs.goOn(runId);
      return queues.enqueue(jobs.finishCrawl, { run: runId });
    case 'over':
  }
}
