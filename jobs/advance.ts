import type { JobContext } from './context.ts';
import { crawlCategory } from './crawl-category.ts';
import { crawlProducts } from './crawl-products.ts';
import { crawlTaxonomy } from './crawl-taxonomy.ts';
import { finishCrawl } from './finish-crawl.ts';

/** Jobs a run may have in the queue at once: enough to keep workers busy, little enough to lose. */
const windowJobs = 64;
/** A job handed over this long ago and still not done is handed over again; if it still waits, its key keeps it single. */
const requeueAfterMs = 15_000;
/** Products in one job. */
const detailsPerBatch = 20;

type Needs = Pick<JobContext, 'db' | 'clock' | 'runs' | 'pages' | 'details' | 'queues'>;

/**
 * What a run needs next, asked of the ledger and handed to the queues. Safe to call at any moment from anywhere: after
 * every job, by the heartbeat, after a crash. Nothing is concluded from what the queues hold.
 */
export async function advance({ db, clock, runs, pages, details, queues }: Needs, runId: number): Promise<void> {
  const run = await runs.byId(runId);
  if (run.status !== 'open' || (run.pausedFor !== null && (run.pausedUntil === null || run.pausedUntil > clock.now())))
    return;

  if (run.phase === 'taxonomy') return queues.enqueue(crawlTaxonomy, { run: runId });

  if (run.phase === 'listing') {
    const batches = await pages.takeWindow(db, runId, windowJobs, requeueAfterMs);
    for (const { batchNo } of batches) await queues.enqueue(crawlCategory, { run: runId, batch: batchNo });
    if (batches.length > 0 || (await pages.anyOutstanding(db, runId))) return;
    await db.tx(async (tx) => {
      if (await runs.advance(runId, 'listing', 'details', tx))
        await details.plan(tx, runId, run.maxDetails, detailsPerBatch);
    });
    return advance({ db, clock, runs, pages, details, queues }, runId);
  }

  if (run.phase === 'details') {
    const batches = await details.takeWindow(db, runId, windowJobs, requeueAfterMs);
    for (const batch of batches) await queues.enqueue(crawlProducts, { run: runId, batch });
    if (batches.length > 0 || (await details.anyOutstanding(db, runId))) return;
    await runs.advance(runId, 'details', 'finishing');
    return advance({ db, clock, runs, pages, details, queues }, runId);
  }

  if (run.phase === 'finishing') await queues.enqueue(finishCrawl, { run: runId });
}
