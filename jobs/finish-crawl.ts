import { z } from 'zod';
import { BaseMoved, LeaseLost } from '../src/base/errors.ts';
import type { RegionCode } from '../src/base/model/index.ts';
import { handleStepFailure } from '../src/crawl/handle-failure.ts';
import { countVisits } from '../src/crawl/ledger/detail-visits.ts';
import type { Run } from '../src/crawl/ledger/runs.ts';
import type { Database } from '../src/db/client.ts';
import { certifyAndPublish } from '../src/publish/quality/certify-and-publish.ts';
import { gatherEvidence } from '../src/publish/quality/evidence/evidence.ts';
import type { PageEvidence } from '../src/publish/quality/evidence/page-evidence.ts';
import { repairRun } from '../src/publish/repair-run.ts';
import { defineJob, type JobContext } from './context.ts';
import { followNights } from './follow-nights.ts';

/** All units are settled: repairs the run if it is incomplete, then certifies and publishes it. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  isConcurrent: true,
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context, signal) {
    const taken = await context.ownership.take(runId);
    if (taken?.phase !== 'finishing') return;
    let run: Run = taken;
    let outcome: Outcome;
    try {
      // A finished run stores the number of its requests.
      await context.writeSpend();
      do {
        run = await context.restageIfBaseMoved(run, signal);
        outcome = await finish(context, run);
      } while (outcome === 'base moved');
    } catch (error) {
      // Another process finished the run, or a user abandoned it.
      if (error instanceof LeaseLost) return;
      await handleStepFailure(context, run, error);
      throw error;
    }
    await context.dispatch(runId);
    if (outcome === 'ended') await context.queues.enqueue(followNights, {});
  },
});

/**
 * Evidence of the pages of runs that were repaired, by region. A repair usually requests only own pages of unseen
 * products, so that this evidence stays valid.
 */
const repairedPages = new WeakMap<Database, Map<RegionCode, PageEvidence>>();

/** `repaired`: further units were planned. `base moved`: another run was published, so this one is staged again. */
type Outcome = 'ended' | 'repaired' | 'base moved';

async function finish(context: JobContext, run: Run): Promise<Outcome> {
  const { db, log } = context;
  const { runId, region } = run;
  const before = repairedPages.get(db) ?? new Map<RegionCode, PageEvidence>();
  const coverage = await gatherEvidence(db, runId, before.get(region));
  before.delete(region);
  if (await repairRun(context, run, coverage)) {
    repairedPages.set(db, before.set(region, coverage.pageEvidence));
    return 'repaired';
  }

  try {
    const { verdict, ...published } = await certifyAndPublish(context, run, coverage);
    log.info({ run: runId, region, verdict, ...published }, published.isHeld ? 'run held' : 'run published');
  } catch (error) {
    if (error instanceof BaseMoved) return 'base moved';
    throw error;
  }
  await countVisits(db, region);
  return 'ended';
}
