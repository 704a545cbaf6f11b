import { z } from 'zod';
import { isServerTrouble } from '../src/db/connection-error.ts';
import { PricebookError } from '../src/errors.ts';
import type { Run } from '../src/ledger/runs.ts';
import { storeContentHashes } from '../src/quality/content-hash.ts';
import { gatherEvidence } from '../src/quality/evidence.ts';
import { verdictOn } from '../src/queue/verdict.ts';
import { conclude } from './conclude.ts';
import { defineJob, type JobContext } from './context.ts';
import { mendRun } from './mend-run.ts';

/** Nothing is outstanding: mend what fell short, certify, publish. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context) {
    const run = await context.ownership.take(runId);
    if (run?.phase !== 'finishing') return;

    const isMended = await finish(context, run).catch(async (error: unknown) => {
      await restAfter(error, runId, context);
      throw error;
    });
    if (isMended) await context.advance(runId);
  },
});

/** True when there is more to do first. */
async function finish(context: JobContext, run: Run): Promise<boolean> {
  const { db, log, stumbles } = context;
  const { runId, region } = run;
  const survey = await gatherEvidence(db, runId);
  if (await mendRun(context, run, survey)) return true;

  // The last night's, should a crash have kept it from being stored: after this publication it would be hearsay.
  await storeContentHashes(db, region);
  const { verdict, ...published } = await conclude(context, run, survey);
  stumbles.delete(runId);
  log.info({ run: runId, region, verdict, ...published }, published.isHeld ? 'held' : 'published');
  await storeContentHashes(db, region);
  return false;
}

/** After a mistake of ours; a night is a lot of work to do over and over. */
const firstRestMs = 30_000;
const longestRestMs = 60 * 60_000;

/** What goes wrong here goes wrong again: longer each time. A server that was away is asked again at once, as everywhere. */
async function restAfter(error: unknown, runId: number, { stumbles, pause }: JobContext): Promise<void> {
  const verdict = verdictOn(error);
  if (verdict === 'pause') return pause(runId, error as Error);
  if (verdict !== 'bug' || error instanceof PricebookError || isServerTrouble(error)) return;
  const before = stumbles.get(runId) ?? 0;
  stumbles.set(runId, before + 1);
  const why = error instanceof Error ? error : new Error(String(error));
  await pause(runId, why, Math.min(firstRestMs * 2 ** before, longestRestMs));
}
