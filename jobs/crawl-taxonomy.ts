import { z } from 'zod';
import { LeaseLost } from '../src/base/errors.ts';
import { handleFailure, handleStepFailure } from '../src/crawl/handle-failure.ts';
import { ingestOne } from '../src/crawl/ingest.ts';
import { storeDeferred } from '../src/crawl/ledger/category-rotation.ts';
import { lookIntoRepeating, planRepeatingPages } from '../src/crawl/ledger/repeating-categories.ts';
import { move } from '../src/crawl/ledger/run-life.ts';
import { beginProbe, endProbe } from '../src/crawl/ledger/run-stops.ts';
import { quarantine } from '../src/crawl/stage/quarantine.ts';
import { stageTaxonomy } from '../src/crawl/stage/taxonomy.ts';
import { planTurns } from '../src/crawl/take-turns.ts';
import { defineJob } from './context.ts';

/**
 * Reads the category tree, chooses the fewest categories that cover it within tonight's budget, and plans their first
 * pages.
 */
export const crawlTaxonomy = defineJob({
  name: 'crawl-taxonomy',
  isConcurrent: true,
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `taxonomy-${run}`,

  async run({ run: runId }, context, signal) {
    const { db, ask, ingest, ownership, pages, settings } = context;
    const run = await ownership.take(runId);
    if (run?.phase !== 'taxonomy') return;
    const trial = run.pausedFor === null ? null : await beginProbe(db, runId, context.clock.now());
    if (run.pausedFor !== null && trial === null) return;
    const endpoint = context.endpointsOf[run.region].taxonomy;

    const readAndPlan = async () => {
      const answer = await ask(endpoint, undefined, runId, signal);
      const { records, rejected } = await ingestOne(ingest, endpoint, { params: undefined, answer }, runId);
      const maxIdLength = settings.categoryIdMaxLength[run.region];
      const { frontier, deferred } = await planTurns(context, run, records.nodes, { maxIdLength });
      await db.tx(async (tx) => {
        // Must come first: a late duplicate must not renumber categories whose pages are being read.
        if (!(await move(tx, 'startCategories', run))) throw new LeaseLost(`The taxonomy of run ${runId}`);
        const staged = await stageTaxonomy(tx, runId, records.nodes);
        const numberOf = new Map(staged.map((category) => [category.categoryId, category.categoryNo]));
        // If categories are deferred, the night is partial anyway and every possible page is wanted, so repeating
        // categories are read completely.
        const repeating = deferred.length > 0 ? [] : await lookIntoRepeating(tx, run, frontier.walk);
        await pages.planCategories(
          tx,
          runId,
          frontier.walk.map((node) => ({
            categoryId: node.categoryId,
            categoryNo: numberOf.get(node.categoryId)!,
            rootNo: numberOf.get(node.categoryId)!,
            isSample: repeating.some(({ categoryId }) => categoryId === node.categoryId),
          })),
        );
        for (const each of repeating) await planRepeatingPages(tx, runId, numberOf.get(each.categoryId)!, each.pages);
        await storeDeferred(tx, runId, deferred);
        const { sha256, receivedAt } = answer.payload;
        await quarantine(
          tx,
          run,
          endpoint.name,
          rejected.map((rejection) => ({ rejection, payloadSha256: sha256, seenAt: receivedAt })),
        );
      });
    };
    const work = handleFailure(context, runId, signal, readAndPlan);
    await work.catch(async (error: unknown) => {
      await handleStepFailure(context, run, error);
      throw error;
    });
    if (trial && !signal.aborted) await endProbe(db, runId, trial);
    await context.dispatch(runId);
  },
});
