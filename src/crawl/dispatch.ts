import { countVisits } from '../ledger/detail-visits.ts';
import { grantWishes } from '../ledger/detail-wishes.ts';
import { detailsPerBatch } from '../ledger/details.ts';
import { noteDetails } from '../ledger/run-forecast.ts';
import { move } from '../ledger/run-life.ts';
import { hasFailedTooOften, isWaiting } from '../ledger/runs.ts';
import type { Job } from '../queue/define-job.ts';
import type { CrawlContext } from './context.ts';
import { detailsAllowed } from './forecast-run.ts';
import { type DriftLook, windowAfterFirstPages } from './stop-at-drift.ts';
import { takeMoreTurns } from './take-turns.ts';

/** Of a run that waited: one of them is the half-open trial, the others follow when it succeeds. */
const trialJobs = 8;

/** Jobs a run may have in the queue at once: enough to keep workers busy, little enough to lose. */
const windowJobs = 64;

/** The jobs a run's work is given to. */
export interface RunJobs {
  readonly crawlTaxonomy: Job<CrawlContext, { run: number }>;
  readonly crawlCategory: Job<CrawlContext, { run: number; batch: number }>;
  readonly crawlProducts: Job<CrawlContext, { run: number; batch: number }>;
  readonly finishCrawl: Job<CrawlContext, { run: number }>;
}

type Needs = Pick<
  CrawlContext,
  'db' | 'clock' | 'log' | 'runs' | 'ownership' | 'pages' | 'details' | 'queues' | 'settings' | 'tell'
> &
  DriftLook;

/**
 * Reads from the ledger what a run needs next and puts it into the queues. Safe to call at any moment from anywhere: after
 * every job, by the heartbeat, after a crash. What the queues hold is never asked.
 */
export async function dispatch(needs: Needs, jobs: RunJobs, runId: number): Promise<void> {
  const { db, clock, runs, ownership, pages, details, queues } = needs;
  const { requeueAfterMs } = needs.settings;
  const run = await ownership.take(runId);
  if (!run || isWaiting(run, clock.now()) || hasFailedTooOften(run)) return;
  const window = { batches: run.pausedFor === null ? windowJobs : trialJobs, lastBatch: null };

  if (run.phase === 'taxonomy') return queues.enqueue(jobs.crawlTaxonomy, { run: runId });

  if (run.phase === 'listing') {
    const pagesWindow = await windowAfterFirstPages(needs, run, window.batches);
    if (pagesWindow === null) return;
    const batches = await pages.takeWindow(db, runId, pagesWindow, requeueAfterMs);
    for (const batch of batches) await queues.enqueue(jobs.crawlCategory, { run: runId, batch });
    if (batches.length > 0 || (await pages.anyOutstanding(db, runId))) return;
    if (await takeMoreTurns(needs, run)) return dispatch(needs, jobs, runId);
    await countVisits(db, run.region);
    const limit = await detailsAllowed(needs, run);
    await db.tx(async (tx) => {
      if (!(await move(tx, 'startDetails', run))) return;
      // What a repair finds changes no choice where nothing may be asked for.
      if (limit === 0 && run.repairRounds > 0) return;
      const { maxAgeDays } = needs.settings;
      await grantWishes(tx, runId, limit, detailsPerBatch);
      const ranked = await details.plan(tx, run, { limit, maxAgeDays, perBatch: detailsPerBatch });
      // What was wished for may be listed unchanged, and is wanted all the same.
      await noteDetails(tx, runId, ranked);
    });
    return dispatch(needs, jobs, runId);
  }

  if (run.phase === 'details') {
    const batches = await details.takeWindow(db, runId, window, requeueAfterMs);
    for (const batch of batches) await queues.enqueue(jobs.crawlProducts, { run: runId, batch });
    if (batches.length > 0 || (await details.anyOutstanding(db, runId))) return;
    await move(db, 'startFinishing', run);
    return dispatch(needs, jobs, runId);
  }

  // Asks nothing, so there is nothing to wait for.
  if (run.pausedFor !== null) await runs.goOn(runId);
  if (run.phase === 'finishing') await queues.enqueue(jobs.finishCrawl, { run: runId });
}
