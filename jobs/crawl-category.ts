import { z } from 'zod';
import { handleFailure, type Unit } from '../src/crawl/handle-failure.ts';
import { isUpstreamHealthy } from '../src/crawl/health-probe.ts';
import { processBatch } from '../src/crawl/process-batch.ts';
import type { Askable } from '../src/db/client.ts';
import { UpstreamUnavailable } from '../src/errors.ts';
import { hasWaiting } from '../src/ledger/category-rotation.ts';
import { profiledPageSize } from '../src/ledger/listing-profiles.ts';
import { type ClaimedPage, mostAttempts } from '../src/ledger/pages.ts';
import type { CategoryPage } from '../src/model/index.ts';
import { defaultPageSize, isAtEnd, isSuspiciouslyEmpty, pageSizeShown, planPages } from '../src/plan/paging.ts';
import { defineJob, type JobContext } from './context.ts';

/** A range of pages of one category: asked, read, staged; what they say of the pages after them goes into the plan. */
export const crawlCategory = defineJob({
  name: 'crawl-category',
  isConcurrent: true,
  payload: z.object({ run: z.int(), batch: z.int() }),
  key: ({ run, batch }) => `pages-${run}-${batch}`,

  async run({ run: runId, batch }, context, signal) {
    const { pages, workerId, ask, askAndKeep, ingest, stagePage } = context;
    await processBatch(context, signal, {
      runId,
      key: `pages-${runId}-${batch}`,
      claim: () => pages.claim(runId, batch, workerId),
      giveBack: (page) => pages.release(runId, page, false, 'the run waits'),
      work: async (page, staged) =>
        handleFailure(
          context,
          runId,
          signal,
          () => {
            const { categoryNo, categoryId, rootId, pageNo, reading, lease } = page;
            const endpoint = context.endpointsOf[staged.region].categoryPage;
            return askAndKeep(endpoint.listing, async () => {
              const answer = await ask(endpoint, { categoryId, pageNo }, runId, signal);
              await ingest(endpoint, { categoryId, pageNo }, answer, runId, async ({ records, rejected }) => {
                const resultsPerPage = records.resultsPerPage ?? (await profiledPageSize(context.db, staged.region));
                const seen = { ...records, resultsPerPage };
                if (isSuspiciouslyEmpty(seen, page.declaredTotal) && page.attempts < 2) {
                  throw new UpstreamUnavailable(
                    `Page ${pageNo} of a category`,
                    'it came back empty where products should be',
                  );
                }
                await plan(context, staged, page, seen);
                await stagePage({
                  claim: { run: staged, categoryNo, categoryId, rootId, workerId, pageNo, reading, lease },
                  page: records,
                  rejected,
                  payloadSha256: answer.payload.sha256,
                  endpoint: endpoint.name,
                  receivedAt: answer.payload.receivedAt,
                });
              });
            });
          },
          unitOf(context, staged, page, signal, await goesOnAtCap(context, staged)),
        ),
    });
  },
});

/**
 * What to plan with where nothing tells the size: a larger page than usual may hold advertisements, a smaller first one shows its size,
 * or is short of something; so it is not noted as the size, beside which the pages after it would be too large.
 */
function smallPageSize(page: CategoryPage): number | null {
  if (page.pageNo !== 1) return null;
  const shown = pageSizeShown(page);
  return shown !== null && shown < defaultPageSize ? shown : null;
}

type Staged = NonNullable<Awaited<ReturnType<JobContext['stagedRun']>>>;

/** Before the page counts as done: a run whose pages are all done has been planned to its end. The page size is the probe's where the page tells none. */
async function plan(
  { db, pages, workerId }: JobContext,
  { runId, run: { pagesPerBatch: perBatch } }: Staged,
  claimed: ClaimedPage,
  page: CategoryPage,
): Promise<void> {
  const { declaredTotal, resultsPerPage, pageNo, itemsReceived, products } = page;
  const { categoryNo, pagesPlanned } = claimed;
  const seen = {
    pageNo,
    pagesPlanned,
    declaredTotal,
    pageSize: resultsPerPage ?? smallPageSize(page) ?? defaultPageSize,
    itemsReceived,
  };
  let planned = claimed.isSample ? pagesPlanned : planPages(seen, perBatch);
  if (planned > pagesPlanned && pageNo > 1 && declaredTotal !== null) {
    planned = planPages({ ...seen, onTop: await pages.leastOnTop(runId, categoryNo, pageNo, seen.pageSize) }, perBatch);
  }
  if (planned > pagesPlanned && pageNo === 1 && declaredTotal === null) {
    // As many as last night and the empty page behind them, at once; growing bit by bit would end further beyond.
    planned = Math.max(planned, 1 + (await pages.pagesBefore(runId, claimed.categoryId)));
  }
  if (planned > pagesPlanned && isAtEnd(seen) && !(await pages.bringsNew(runId, categoryNo, pageNo, products))) {
    planned = pagesPlanned;
  }
  const declare = async (sql: Askable): Promise<void> => {
    if (declaredTotal === null || declaredTotal === claimed.declaredTotal) return;
    await pages.declare(sql, runId, claimed, workerId, { total: declaredTotal, resultsPerPage });
  };
  if (planned <= pagesPlanned) return declare(db);
  await db.tx(async (tx) => {
    await pages.assertClaimed(tx, runId, claimed, workerId);
    await declare(tx);
    await pages.extend(tx, runId, categoryNo, planned, perBatch);
  });
}

/** Whether what is left when the run has spent its cap may go unread: it was added to be surer, or the night is partial as it is. */
async function goesOnAtCap({ db, settings }: JobContext, { runId, run }: Staged): Promise<boolean> {
  return run.repairRounds > 0 || (settings.terms.caps !== null && (await hasWaiting(db, runId)));
}

function unitOf(
  context: JobContext,
  { runId, region, run }: Staged,
  page: ClaimedPage,
  signal: AbortSignal,
  mayGoOnAtCap: boolean,
): Unit {
  const { pages, ask, endpointsOf } = context;
  return {
    release: (costsAttempt, why) => pages.release(runId, page, costsAttempt, why),
    fail: (why) => pages.fail(runId, page, why),
    attempts: page.attempts,
    mostAttempts: mostAttempts(page),
    isTrial: run.pausedFor !== null,
    ...(mayGoOnAtCap && { atCap: (why) => pages.fail(runId, page, why) }),
    isUpstreamHealthy: () =>
      isUpstreamHealthy(context, runId, async () => {
        const probed = await pages.anyDone(runId);
        if (probed) await ask(endpointsOf[region].categoryPage, probed, runId, signal, 'health-probe');
        return probed !== null;
      }),
  };
}
