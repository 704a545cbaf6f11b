import { z } from 'zod';
import { repairRun } from '../src/crawl/repair-run.ts';
import { isServerTrouble } from '../src/db/connection-error.ts';
import { PricebookError } from '../src/errors.ts';
import type { Run } from '../src/ledger/runs.ts';
import { storeContentHashes } from '../src/quality/audits/content-hash.ts';
import { certifyAndPublish } from '../src/quality/certify-and-publish.ts';
import { gatherEvidence } from '../src/quality/evidence/evidence.ts';
import { verdictOn } from '../src/queue/verdict.ts';
import { defineJob, type JobContext } from './context.ts';

/** Nothing is outstanding: mend what fell short, certify, publish. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context) {
    const run = await context.ownership.take(runId);
    if (run?.phase !== 'finishing') return;

    const isRepaired = await finish(context, run).catch(async (error: unknown) => {
      await pauseAfter(error, runId, context);
      throw error;
    });
    if (isRepaired) await context.dispatch(runId);
  },
});

/** True when there is more to do first. */
async function finish(context: JobContext, run: Run): Promise<boolean> {
  const { db, log, failureCounts } = context;
  const { runId, region } = run;
  const coverage = await gatherEvidence(db, runId);
  if (await repairRun(context, run, coverage)) return true;

  // The last night's, should a crash have kept it from being stored: after this publication it would be hearsay.
  await storeContentHashes(db, region);
  const { verdict, ...published } = await certifyAndPublish(context, run, coverage);
  failureCounts.delete(runId);
  log.info({ run: runId, region, verdict, ...published }, published.isHeld ? 'held' : 'published');
  await storeContentHashes(db, region);
  return false;
}

/** After a mistake of ours; a night is a lot of work to do over and over. */
const firstRestMs = 30_000;
const longestRestMs = 60 * 60_000;

/** What goes wrong here goes wrong again: longer each time. A server that was away is asked again at once, as everywhere. */
async function pauseAfter(error: unknown, runId: number, { failureCounts, pause }: JobContext): Promise<void> {
  const verdict = verdictOn(error);
  if (verdict === 'pause') return pause(runId, error as Error);
  if (verdict !== 'bug' || error instanceof PricebookError || isServerTrouble(error)) return;
  const before = failureCounts.get(runId) ?? 0;
  failureCounts.set(runId, before + 1);
  const why = error instanceof Error ? error : new Error(String(error));
  await pause(runId, why, Math.min(firstRestMs * 2 ** before, longestRestMs));
}
