import { z } from 'zod';
import { deferCategories, withoutDeferred } from '../src/crawl/defer-categories.ts';
import { handleFailure } from '../src/crawl/handle-failure.ts';
import { restAfterFailure } from '../src/crawl/rest-after-failure.ts';
import { LeaseLost } from '../src/errors.ts';
import { storeDeferred } from '../src/ledger/category-rotation.ts';
import { beginTrial, endTrial } from '../src/ledger/half-open-trial.ts';
import { move } from '../src/ledger/run-life.ts';
import { planFrontier } from '../src/plan/frontier.ts';
import { quarantine } from '../src/stage/quarantine.ts';
import { stageTaxonomy } from '../src/stage/taxonomy.ts';
import { defineJob } from './context.ts';

/** Reads the tree of categories and chooses the fewest that cover it; their first pages are the first work. */
export const crawlTaxonomy = defineJob({
  name: 'crawl-taxonomy',
  concurrency: 2,
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `taxonomy-${run}`,

  async run({ run: runId }, context, signal) {
    const { db, ask, ingest, runs, ownership, pages, settings } = context;
    const run = await ownership.take(runId);
    if (run?.phase !== 'taxonomy') return;
    const trial = run.pausedFor === null ? null : await beginTrial(db, runId, context.clock.now());
    if (run.pausedFor !== null && trial === null) return;
    const endpoint = context.endpointsOf[run.region].taxonomy;

    const work = handleFailure(context, runId, signal, async () => {
      const answer = await ask(endpoint, undefined, runId, signal);
      await ingest(endpoint, undefined, answer, runId, async ({ records, rejected }) => {
        const all = planFrontier(records.nodes, { maxIdLength: settings.categoryIdMaxLength[run.region] });
        const deferred = await deferCategories(context, run, all.walk);
        const frontier = withoutDeferred(all, deferred);
        // The first night has no other to be held against: what the children show first must be listed by their parents.
        const isFirst = !(await runs.hasCertified(run.region));
        await db.tx(async (tx) => {
          // First: a duplicate that comes late must not renumber categories whose pages are being read.
          if (!(await move(tx, 'startListing', run))) throw new LeaseLost(`The taxonomy of run ${runId}`);
          const staged = await stageTaxonomy(tx, runId, records.nodes);
          const numberOf = new Map(staged.map((category) => [category.categoryId, category.categoryNo]));
          await pages.planCategories(
            tx,
            runId,
            frontier.walk.map(({ categoryId }) => ({
              categoryId,
              categoryNo: numberOf.get(categoryId)!,
              rootNo: numberOf.get(categoryId)!,
            })),
          );
          await storeDeferred(tx, runId, deferred);
          if (isFirst) {
            const samples = frontier.samples.map(({ categoryId, parentId }) => ({
              categoryId,
              categoryNo: numberOf.get(categoryId)!,
              rootNo: numberOf.get(parentId!)!,
              isSample: true,
            }));
            await pages.planCategories(tx, runId, samples);
          }
          const { sha256, receivedAt } = answer.payload;
          await quarantine(
            tx,
            run,
            endpoint.name,
            rejected.map((rejection) => ({ rejection, payloadSha256: sha256, seenAt: receivedAt })),
          );
        });
      });
    });
    await work.catch(async (error: unknown) => {
      await restAfterFailure(context, run, error);
      throw error;
    });
    if (trial && !signal.aborted) await endTrial(db, runId, trial);
    await context.dispatch(runId);
  },
});
