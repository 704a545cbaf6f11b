import { z } from 'zod';
import { endpointsOf } from '../src/endpoints/index.ts';
import { UpstreamUnavailable } from '../src/errors.ts';
import { type ClaimedPage, type ClaimedPages, maxPageAttempts } from '../src/ledger/pages.ts';
import type { CategoryPage } from '../src/model/index.ts';
import { defaultPageSize, isSuspiciouslyEmpty, planPages } from '../src/plan/paging.ts';
import { defineJob, type JobContext } from './context.ts';
import { settle } from './settle.ts';

/** A range of pages of one category: asked, read, staged; what they say of the pages after them goes into the plan. */
export const crawlCategory = defineJob({
  name: 'crawl-category',
  concurrency: 4,
  payload: z.object({ run: z.int(), batch: z.int() }),
  key: ({ run, batch }) => `pages-${run}-${batch}`,

  async run({ run: runId, batch }, context, signal) {
    const { pages, workerId, ask, ingest, stagePage } = context;
    const staged = await context.stagedRun(runId);
    const claimed = staged && (await pages.claim(runId, batch, workerId));
    if (!claimed) return;
    const { categoryNo, categoryId } = claimed;
    const endpoint = endpointsOf[staged.region].categoryPage;

    await Promise.all(
      claimed.pages.map((page) =>
        settle(
          context,
          runId,
          async () => {
            const question = { categoryId, pageNo: page.pageNo };
            const answer = await ask(endpoint, question, runId, signal);
            await ingest(endpoint, question, answer, runId, async ({ records, rejected }) => {
              if (isSuspiciouslyEmpty(records, claimed.declaredTotal) && page.attempts < 2) {
                throw new UpstreamUnavailable(
                  `Page ${page.pageNo} of a category`,
                  'it came back empty where products should be',
                );
              }
              await plan(context, runId, staged.run.pagesPerBatch, claimed, records);
              await stagePage({
                claim: {
                  run: staged,
                  categoryNo,
                  categoryId,
                  workerId,
                  pageNo: page.pageNo,
                  reading: page.reading,
                  lease: page.lease,
                },
                page: records,
                rejected,
                payloadSha256: answer.payload.sha256,
                endpoint: endpoint.name,
                receivedAt: answer.payload.receivedAt,
              });
            });
          },
          unitOf(context, runId, categoryNo, page),
        ),
      ),
    );
    await context.advance(runId);
  },
});

async function plan(
  { db, pages }: JobContext,
  runId: number,
  perBatch: number,
  claimed: ClaimedPages,
  page: CategoryPage,
): Promise<void> {
  const { declaredTotal, resultsPerPage, pageNo, itemsReceived } = page;
  if (declaredTotal !== null && declaredTotal !== claimed.declaredTotal) {
    await pages.declare(db, runId, claimed.categoryNo, declaredTotal, resultsPerPage);
  }
  const { pagesPlanned } = claimed;
  const planned = planPages(
    { pageNo, pagesPlanned, declaredTotal, pageSize: resultsPerPage ?? defaultPageSize, itemsReceived },
    perBatch,
  );
  if (planned > pagesPlanned) await db.tx((tx) => pages.extend(tx, runId, claimed.categoryNo, planned, perBatch));
}

function unitOf({ pages }: JobContext, runId: number, categoryNo: number, page: ClaimedPage) {
  return {
    release: (costsAttempt: boolean, why: string) => pages.release(runId, categoryNo, page, costsAttempt, why),
    fail: (why: string) => pages.fail(runId, categoryNo, page, why),
    isLastAttempt: page.attempts >= maxPageAttempts,
  };
}
