import { z } from 'zod';
import { planRepairs } from '../src/plan/repair.ts';
import { gatherEvidence } from '../src/quality/evidence.ts';
import { readTaxonomy } from '../src/stage/taxonomy.ts';
import { conclude } from './conclude.ts';
import { defineJob } from './context.ts';

/** Nothing is outstanding: mend what fell short, certify, publish. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context) {
    const { db, runs, pages, settings, log } = context;
    const run = await runs.byId(runId);
    if (run.status !== 'open' || run.phase !== 'finishing') return;

    const taxonomy = await readTaxonomy(db, runId);
    const walked = await gatherEvidence(db, runId);
    const repairs = planRepairs(walked, taxonomy, { maxIdLength: settings.categoryIdMaxLength[run.region] });
    if (repairs.length > 0) {
      await db.tx(async (tx) => {
        if (!(await runs.advance(runId, 'finishing', 'listing', tx))) return;
        for (const repair of repairs) await pages.repair(tx, runId, repair, run.pagesPerBatch);
      });
      return context.advance(runId);
    }

    const { verdict, ...published } = await conclude(context, run, taxonomy, walked);
    log.info({ run: runId, region: run.region, verdict, ...published }, 'published');
  },
});
