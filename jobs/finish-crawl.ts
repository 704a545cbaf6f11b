import { z } from 'zod';
import { BaseMoved, LeaseLost } from '../src/errors.ts';
import type { Run } from '../src/ledger/runs.ts';
import { storeContentHashes } from '../src/quality/content-hash.ts';
import { gatherEvidence } from '../src/quality/evidence.ts';
import { conclude } from './conclude.ts';
import { defineJob, type JobContext } from './context.ts';
import { mendRun } from './mend-run.ts';
import { restAfterFailure } from './rest-after-failure.ts';

/** Nothing is outstanding: mend what fell short, certify, publish. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context, signal) {
    let run = await context.runs.byId(runId);
    if (run.status !== 'open' || run.phase !== 'finishing') return;
    try {
      for (let isOver = false; !isOver; ) {
        run = await context.stagedOnBase(run, signal);
        isOver = await finish(context, run);
      }
    } catch (error) {
      // Somebody else has finished it, or a person gave it up.
      if (error instanceof LeaseLost) return;
      await restAfterFailure(context, run, error);
      throw error;
    }
    await context.advance(runId);
  },
});

/** False when something else was published meanwhile: the run has to be staged again. */
async function finish(context: JobContext, run: Run): Promise<boolean> {
  const { db, log } = context;
  const { runId, region } = run;
  const survey = await gatherEvidence(db, runId);
  if (await mendRun(context, run, survey)) return true;

  // The last night's, should a crash have kept it from being stored: after this publication it could not be computed.
  await storeContentHashes(db, region);
  try {
    const { verdict, ...published } = await conclude(context, run, survey);
    log.info({ run: runId, region, verdict, ...published }, published.isHeld ? 'held' : 'published');
  } catch (error) {
    if (error instanceof BaseMoved) return false;
    throw error;
  }
  await storeContentHashes(db, region);
  return true;
}
