import { z } from 'zod';
import { endLook, takeLook } from '../src/ledger/looks.ts';
import { planFrontier } from '../src/plan/frontier.ts';
import { quarantine } from '../src/stage/quarantine.ts';
import { stageTaxonomy } from '../src/stage/taxonomy.ts';
import { defineJob } from './context.ts';
import { settle } from './settle.ts';

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
    const look = run.pausedFor === null ? null : await takeLook(db, runId, context.clock.now());
    if (run.pausedFor !== null && look === null) return;
    const endpoint = context.endpointsOf[run.region].taxonomy;

    await settle(context, runId, signal, async () => {
      const answer = await ask(endpoint, undefined, runId, signal);
      await ingest(endpoint, undefined, answer, runId, async ({ records, rejected }) => {
        const frontier = planFrontier(records.nodes, { maxIdLength: settings.categoryIdMaxLength[run.region] });
        // The first night has no other to be held against: what the children show first must be listed by their parents.
        const isFirst = !(await runs.hasCertified(run.region));
        await db.tx(async (tx) => {
          await runs.assertCurrent(tx, runId, run.epoch);
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
          await runs.advance(runId, 'taxonomy', 'listing', tx);
        });
      });
    });
    if (look && !signal.aborted) await endLook(db, runId, look);
    await context.advance(runId);
  },
});
