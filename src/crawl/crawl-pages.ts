import { QuestionRefused, UpstreamUnavailable } from '../base/errors.ts';
import type { CategoryPage } from '../base/model/index.ts';
import type { Answer } from '../gateway/gateway.ts';
import type { CrawlContext } from './context.ts';
import { isUpstreamHealthy } from './handle-failure.ts';
import { noteRefusedPage, readPageWindow } from './ledger/page-window.ts';
import { type ClaimedPage, mostAttempts, pageUnits } from './ledger/pages.ts';
import type { Run } from './ledger/runs.ts';
import {
  defaultPageSize,
  isAtEnd,
  isSuspiciouslyEmpty,
  pageSizeShown,
  planPages,
  unitsAtATime,
} from './plan/paging.ts';
import { type PagePlan, type ReadPage, stagePages } from './stage/category-page.ts';
import { readKnownProducts } from './stage/known-products.ts';
import { readCategoryNos } from './stage/taxonomy.ts';
import type { MayAsk } from './stop-at-drift.ts';
import { type LoopOptions, stageTogether, type UnitKind, workOnUnits } from './work-loop.ts';

export interface PagesOptions extends LoopOptions {
  /** Called before the first page, and again after the pages it allowed. */
  whichPages(): Promise<MayAsk>;
}

/**
 * Fetches the pages of a run until none is left, and extends the plan with pages that the answers declare. Returns
 * false if the run must wait or is over.
 */
export async function crawlPages(
  context: CrawlContext,
  run: Run,
  signal: AbortSignal,
  { whichPages, ...options }: PagesOptions,
): Promise<boolean> {
  const kind = await pagesOf(context, run, signal);
  for (;;) {
    const mayAsk = await whichPages();
    if (mayAsk === 'none') return false;
    if (mayAsk === 'all') return workOnUnits(context, run, kind, signal, options);
    const where = `u.page_no = 1 and u.reading = 1 and u.category_no <= ${mayAsk.firstPagesUpTo}`;
    if (!(await workOnUnits(context, run, { ...kind, where }, signal, options)) || options.most) return false;
  }
}

async function pagesOf(context: CrawlContext, run: Run, signal: AbortSignal): Promise<UnitKind<ClaimedPage, Answer>> {
  const { db, clock, pages, settings, workerId, ask, ingest } = context;
  const { runId, region, epoch } = run;
  const endpoint = context.endpointsOf[region].categoryPage;
  const staged = { runId, epoch, region, categoryNos: await readCategoryNos(db, runId) };
  const known = await readKnownProducts(db, region);
  let lastPage = await readPageWindow(db, region, clock.now());

  return {
    units: pageUnits,
    async ask(page) {
      const { categoryId, pageNo } = page;
      try {
        return await ask(endpoint, { categoryId, pageNo }, runId, signal);
      } catch (error) {
        if (!(error instanceof QuestionRefused) || pageNo === 1) throw error;
        const learned = await noteRefusedPage(db, { runId, region, page, why: error.message, now: clock.now() });
        lastPage = Math.min(lastPage, learned);
        return null;
      }
    },

    async keep(group) {
      const answered = group.map(({ unit, arrived }) => ({ params: unit, answer: arrived }));
      const readings = await ingest(endpoint, answered, runId);
      const failed = new Map<ClaimedPage, unknown>();
      const reads: { readonly unit: ClaimedPage; readonly read: ReadPage }[] = [];
      for (const [i, reading] of readings.entries()) {
        const { unit, arrived } = group[i]!;
        if (reading instanceof Error) failed.set(unit, reading);
        else if (isDoubted(unit, reading.records)) failed.set(unit, cameEmpty(unit));
        else {
          const { sha256: payloadSha256, receivedAt } = arrived.payload;
          const read = {
            claim: { run: staged, workerId, ...unit },
            page: reading.records,
            rejected: reading.rejected,
            payloadSha256,
            endpoint: endpoint.name,
            receivedAt,
            plan: await planAfter(unit, reading.records),
          };
          reads.push({ unit, read });
        }
      }
      const unkept = await stageTogether(reads, async (items) => {
        const kept = await stagePages(
          db,
          known,
          items.map(({ read }) => read),
        );
        return new Set(items.filter(({ read }) => kept.has(read)));
      });
      for (const [{ unit }, why] of unkept) failed.set(unit, why);
      return failed;
    },

    policyOf: (unit) => ({
      mostAttempts: mostAttempts(unit),
      isTrial: run.pausedFor !== null,
      isUpstreamHealthy: () =>
        isUpstreamHealthy(context, runId, async () => {
          const probed = await pages.anyDone(runId);
          if (probed) await ask(endpoint, probed, runId, signal, 'health-probe');
          return probed !== null;
        }),
    }),
  };

  function isDoubted({ declaredTotal, attempts }: ClaimedPage, page: CategoryPage): boolean {
    return isSuspiciouslyEmpty(page, declaredTotal) && attempts < 2;
  }

  /**
   * Plans the category's further pages from this page. The plan is stored together with the page, so that a run whose
   * pages are all done is also planned completely.
   */
  async function planAfter(unit: ClaimedPage, page: CategoryPage): Promise<PagePlan> {
    const { categoryNo, pagesPlanned } = unit;
    const { declaredTotal, resultsPerPage, pageNo, itemsReceived, products } = page;
    const plan = { declaredTotal, resultsPerPage, planned: pagesPlanned };
    if (unit.isSample) return { ...plan, wanted: pagesPlanned };
    const seen = {
      pageNo,
      pagesPlanned,
      declaredTotal,
      pageSize: resultsPerPage ?? smallPageSize(page) ?? defaultPageSize,
      itemsReceived,
    };
    let wanted = planPages(seen, unitsAtATime(settings.requestsPerSecond));
    if (wanted > pagesPlanned && isAtEnd(seen) && !(await pages.bringsNew(runId, categoryNo, pageNo, products))) {
      wanted = pagesPlanned;
    }
    // Products beyond the page window are listed by the child categories.
    return { ...plan, wanted: Math.max(pagesPlanned, Math.min(wanted, lastPage)) };
  }
}

const cameEmpty = ({ pageNo }: ClaimedPage) =>
  new UpstreamUnavailable(`Page ${pageNo} of a category`, 'it came back empty where products should be');

/**
 * Page size to plan with when the response states none. A first page smaller than the default shows its size, or is
 * short of products. A larger one may contain advertisements. The size is not stored, because later pages would look
 * too large beside it.
 */
function smallPageSize(page: CategoryPage): number | null {
  if (page.pageNo !== 1) return null;
  const shown = pageSizeShown(page);
  return shown !== null && shown < defaultPageSize ? shown : null;
}
