import { z } from 'zod';
import { BaseMoved, LeaseLost } from '../src/base/errors.ts';
import { handleStepFailure } from '../src/crawl/handle-failure.ts';
import { countVisits } from '../src/crawl/ledger/detail-visits.ts';
import type { Run } from '../src/crawl/ledger/runs.ts';
import { certifyAndPublish } from '../src/publish/quality/certify-and-publish.ts';
import { gatherEvidence } from '../src/publish/quality/evidence/evidence.ts';
import { repairRun } from '../src/publish/repair-run.ts';
import { defineJob, type JobContext } from './context.ts';
import { followNights } from './follow-nights.ts';

/** All units are settled: repairs the run if it is incomplete, then certifies and publishes it. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context, signal) {
    const taken = await context.ownership.take(runId);
    if (taken?.phase !== 'finishing') return;
    let run: Run = taken;
    try {
      // A finished run stores the number of its requests.
      await context.writeSpend();
      for (let isOver = false; !isOver; ) {
        run = await context.restageIfBaseMoved(run, signal);
        isOver = await finish(context, run);
      }
    } catch (error) {
      // Another process finished the run, or a user abandoned it.
      if (error instanceof LeaseLost) return;
      await handleStepFailure(context, run, error);
      throw error;
    }
    await context.dispatch(runId);
    await context.queues.enqueue(followNights, {});
  },
});

/** Returns false if another run was published meanwhile: this run has to be staged again. */
async function finish(context: JobContext, run: Run): Promise<boolean> {
  const { db, log } = context;
  const { runId, region } = run;
  const coverage = await gatherEvidence(db, runId);
  if (await repairRun(context, run, coverage)) return true;

  try {
    const { verdict, ...published } = await certifyAndPublish(context, run, coverage);
    log.info({ run: runId, region, verdict, ...published }, published.isHeld ? 'run held' : 'run published');
  } catch (error) {
    if (error instanceof BaseMoved) return false;
    throw error;
  }
  await countVisits(db, region);
  return true;
}
