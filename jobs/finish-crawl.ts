import { z } from 'zod';
import { storeContentHashes } from '../src/quality/content-hash.ts';
import { gatherEvidence } from '../src/quality/evidence.ts';
import { conclude } from './conclude.ts';
import { defineJob } from './context.ts';
import { mendRun } from './mend-run.ts';

/** Nothing is outstanding: mend what fell short, certify, publish. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context) {
    const { db, runs, log } = context;
    const run = await runs.byId(runId);
    if (run.status !== 'open' || run.phase !== 'finishing') return;

    const survey = await gatherEvidence(db, runId);
    if (await mendRun(context, run, survey)) return context.advance(runId);

    // The last night's, should a crash have kept it from being stored: after this publication it would be hearsay.
    await storeContentHashes(db, run.region);
    const { verdict, ...published } = await conclude(context, run, survey);
    log.info({ run: runId, region: run.region, verdict, ...published }, published.isHeld ? 'held' : 'published');
    await storeContentHashes(db, run.region);
  },
});
