import { z } from 'zod';
import { suspectedCaps } from '../src/plan/cap.ts';
import { planRepairs } from '../src/plan/repair.ts';
import { publish } from '../src/publish/publish.ts';
import { judge } from '../src/quality/certificate.ts';
import { gatherEvidence } from '../src/quality/evidence.ts';
import { readTaxonomy } from '../src/stage/taxonomy.ts';
import { defineJob } from './context.ts';

/** Nothing is outstanding: mend what fell short, certify, publish. */
export const finishCrawl = defineJob({
  name: 'finish-crawl',
  payload: z.object({ run: z.int() }),
  key: ({ run }) => `finish-${run}`,

  async run({ run: runId }, context) {
    const { db, runs, pages, settings, clock, log } = context;
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

    const categories = walked.filter(({ categoryNo, rootNo }) => categoryNo === rootNo);
    const uncoveredLeaves = uncovered(
      taxonomy,
      categories.map((category) => category.categoryNo),
    );
    const caps = suspectedCaps(walked.map(({ declaredLast }) => declaredLast));
    const cappedCategories = walked
      .filter(({ declaredLast, isDescended }) => declaredLast !== null && caps.has(declaredLast) && !isDescended)
      .map(({ path }) => path);
    const evidence = { categoriesInTaxonomy: taxonomy.length, uncoveredLeaves, cappedCategories, categories };
    const { verdict, reasons } = judge(evidence);
    const published = await publish(db, {
      runId,
      epoch: run.epoch,
      certified: { verdict, reasons, evidence },
      delistAfter: settings.delist.after,
      now: clock.now(),
    });
    log.info({ run: runId, region: run.region, verdict, ...published }, 'published');
  },
});

/** Leaves below nothing that was walked. */
function uncovered(
  taxonomy: readonly { readonly categoryNo: number; readonly parentNo: number | null; readonly path: string }[],
  walked: readonly number[],
): string[] {
  const byNo = new Map(taxonomy.map((node) => [node.categoryNo, node]));
  const parents = new Set(taxonomy.map((node) => node.parentNo));
  const isWalked = new Set(walked);
  const isCovered = (no: number | null): boolean =>
    no !== null && (isWalked.has(no) || isCovered(byNo.get(no)?.parentNo ?? null));
  return taxonomy
    .filter((node) => !parents.has(node.categoryNo) && !isCovered(node.categoryNo))
    .map((node) => node.path);
}
