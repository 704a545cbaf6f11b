import { detailsPerBatch } from '../src/ledger/details.ts';
import { isWaiting } from '../src/ledger/runs.ts';
import type { JobContext } from './context.ts';
import { crawlCategory } from './crawl-category.ts';
import { crawlProducts } from './crawl-products.ts';
import { crawlTaxonomy } from './crawl-taxonomy.ts';
import { finishCrawl } from './finish-crawl.ts';

/** Of a run that waited: one of them looks whether it still must, the others follow when it need not. */
const lookJobs = 8;

/** Jobs a run may have in the queue at once: enough to keep workers busy, little enough to lose. */
const windowJobs = 64;

type Needs = Pick<JobContext, 'db' | 'clock' | 'runs' | 'ownership' | 'pages' | 'details' | 'queues' | 'settings'>;

/**
 * What a run needs next, asked of the ledger and handed to the queues. Safe to call at any moment from anywhere: after
 * every job, by the heartbeat, after a crash. Nothing is concluded from what the queues hold.
 */
export async function advance(needs: Needs, runId: number): Promise<void> {
  const { db, clock, runs, ownership, pages, details, queues } = needs;
  const { requeueAfterMs } = needs.settings;
  const run = await ownership.take(runId);
  if (!run || isWaiting(run, clock.now())) return;
  const window = run.pausedFor === null ? windowJobs : lookJobs;

  if (run.phase === 'taxonomy') return queues.enqueue(crawlTaxonomy, { run: runId });

  if (run.phase === 'listing') {
    const batches = await pages.takeWindow(db, runId, window, requeueAfterMs);
    for (const { batchNo } of batches) await queues.enqueue(crawlCategory, { run: runId, batch: batchNo });
    if (batches.length > 0 || (await pages.anyOutstanding(db, runId))) return;
    await db.tx(async (tx) => {
      if (await runs.advance(runId, 'listing', 'details', tx))
        await details.plan(tx, runId, run.maxDetails, detailsPerBatch);
    });
    return advance(needs, runId);
  }

  if (run.phase === 'details') {
    const batches = await details.takeWindow(db, runId, window, requeueAfterMs);
    for (const batch of batches) await queues.enqueue(crawlProducts, { run: runId, batch });
    if (batches.length > 0 || (await details.anyOutstanding(db, runId))) return;
    await runs.advance(runId, 'details', 'finishing');
    return advance(needs, runId);
  }

  // Asks nothing, so there is nothing to wait for.
  if (run.pausedFor !== null) await runs.pause(runId, null, null);
  if (run.phase === 'finishing') await queues.enqueue(finishCrawl, { run: runId });
}
