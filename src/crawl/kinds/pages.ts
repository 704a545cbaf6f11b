import { sql } from 'drizzle-orm';
import { type FailureKind, RequestFailed } from '../../base/errors.ts';
import type { CategoryPage } from '../../base/model/index.ts';
import { rowsOf } from '../../db/rows.ts';
import { categoryPage } from '../../db/tables/index.ts';
import type { CategoryQuestion } from '../../source/endpoints/index.ts';
import type { CrawlContext } from '../context.ts';
import { endPaging } from '../ledger/page-window.ts';
import { bringsNew, maxAttempts } from '../ledger/pages.ts';
import {
  defaultPageSize,
  isAtEnd,
  isSuspiciouslyEmpty,
  pageSizeShown,
  planPages,
  unitsAtATime,
} from '../plan/paging.ts';
import type { Run } from '../run/runs.ts';
import { type PagePlan, type ShownPage, showPage, stagePages } from '../stage/category-page.ts';
import { readKnownProducts } from '../stage/known-products.ts';
import { readCategoryNos } from '../stage/taxonomy.ts';
import type { KeptUnit, Kind } from '../work.ts';

/** One reading of a page, as claimed. */
export type ClaimedPage = typeof categoryPage.$inferSelect & {
  readonly categoryId: string;
  /** The frontier category that it helps to cover. */
  readonly rootId: string;
  /** Total that the category declared last, and number of pages planned for it. */
  readonly totalBefore: number | null;
  readonly pagesPlanned: number;
  /** Whether only this page of the category is wanted. */
  readonly isSample: boolean;
  /** Whether it repeats or replaces pages that failed. */
  readonly isSuspect: boolean;
};

interface KeptPage extends KeptUnit {
  /** Null: the listing refuses pages so far behind, or says that the category is empty or absent. */
  readonly shown: ShownPage | null;
  readonly plan: PagePlan | null;
}

type PageKind = Kind<ClaimedPage, CategoryQuestion, CategoryPage, KeptPage>;

/**
 * SQL: a column of the page's category `c`, or of its frontier category `root`. The query builder would not qualify
 * the page's columns.
 */
const ofCategory = (column: string) => sql`(
  select ${sql.raw(column)}
  from ops.category_crawl c join ops.category_crawl root on root.run_id = c.run_id and root.category_no = c.root_no
  where c.run_id = category_page.run_id and c.category_no = category_page.category_no)`;

const extra = {
  categoryId: ofCategory('c.category_id'),
  rootId: ofCategory('root.category_id'),
  totalBefore: ofCategory('c.declared_last'),
  pagesPlanned: ofCategory('c.pages_planned'),
  isSample: ofCategory('c.is_sample'),
  isSuspect: sql`(${ofCategory('c.category_no <> c.root_no')} or category_page.attempt_no > 1)
    and exists (
      select from ops.category_page g join ops.category_crawl f using (run_id, category_no)
      where g.run_id = category_page.run_id and f.root_no = ${ofCategory('c.root_no')} and g.status = 'failed')`,
};

interface PageNeeds extends Pick<CrawlContext, 'db' | 'clock' | 'endpointsOf'> {
  readonly settings: Pick<CrawlContext['settings'], 'requestsPerSecond'>;
}

/** Pages of a night's categories. Each answer may plan further pages of its category. */
export function pagesOf(
  { db, clock, settings, endpointsOf }: PageNeeds,
  run: Pick<Run, 'runId' | 'region'>,
  readKnown: typeof readKnownProducts = readKnownProducts,
): PageKind {
  const { runId, region } = run;
  // Read with the first answer: a run whose requests are held back needs none of it.
  const load = async () => ({
    known: await readKnown(db, region),
    categoryNos: await readCategoryNos(db, runId),
  });
  let loading: ReturnType<typeof load> | undefined;
  const loaded = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };

  return {
    table: categoryPage,
    phase: 'categories',
    extra,
    endpoint: endpointsOf[region].categoryPage,
    ask: ({ categoryId, pageNo }) => ({ categoryId, pageNo }),
    maxAttempts,

    async prepare(unit, { records: page, rejected }) {
      if (unit.attempts === 0 && isSuspiciouslyEmpty(page, unit.totalBefore)) throw cameEmpty(unit);
      const { known, categoryNos } = await loaded();
      const shown = showPage({ runId, categoryNos }, unit, page, known);
      // A defect in part of a product does not explain a missing product.
      const lost = rejected.filter(({ isPart }) => !isPart).length;
      return { shown, plan: await planAfter(unit, page), values: { ...shown.values, rejected: lost } };
    },

    async nothing(unit, failure, why) {
      const isEnd = failure === 'refused' || (failure === 'empty' && unit.attempts > 0);
      if (!(unit.pageNo > 1 ? isEnd : await isBelievedEmpty(unit, failure, why))) return null;
      const values = { error: `${failure}: ${why}`, itemsReceived: 0, distinctProducts: 0, rejected: 0 };
      return { shown: null, plan: null, values };
    },

    async keep(tx, group) {
      await stagePages(
        tx,
        runId,
        group.flatMap(({ unit: { categoryNo }, kept: { shown, plan } }) =>
          shown ? [{ categoryNo, shown, plan }] : [],
        ),
      );
      const refused = group.filter(({ kept }) => !kept.shown).map(({ unit }) => unit.categoryNo);
      for (const categoryNo of new Set(refused)) await endPaging(tx, { runId, categoryNo, now: clock.now() });
    },
  };

  /**
   * Whether a first page, requested twice, means that its category is absent or empty: only if it never had products.
   */
  async function isBelievedEmpty(unit: ClaimedPage, failure: FailureKind, why: string): Promise<boolean> {
    const hasNoBody = failure === 'unreadable' && why.includes('an empty body');
    const isRepeated = unit.attempts > 0 || maxAttempts(unit) === 1;
    if (!isRepeated || !(hasNoBody || failure === 'not_there' || failure === 'empty')) return false;
    const [row] = await rowsOf<{ had_products: boolean }>(db, selectHadProducts, [region, unit.categoryId]);
    return !row!.had_products;
  }

  /**
   * Plans the category's further pages from this page. The plan is stored together with the page, so that a run whose
   * pages are all done is also planned completely. Null: nothing changes.
   */
  async function planAfter(unit: ClaimedPage, page: CategoryPage): Promise<PagePlan | null> {
    const { categoryNo, pagesPlanned } = unit;
    const { declaredTotal, resultsPerPage, pageNo, itemsReceived, products } = page;
    const seen = {
      pageNo,
      pagesPlanned,
      declaredTotal,
      pageSize: resultsPerPage ?? smallPageSize(page) ?? defaultPageSize,
      itemsReceived,
    };
    let wanted = unit.isSample ? pagesPlanned : planPages(seen, unitsAtATime(settings.requestsPerSecond));
    if (wanted > pagesPlanned && isAtEnd(seen) && !(await bringsNew(db, runId, categoryNo, pageNo, products))) {
      wanted = pagesPlanned;
    }
    wanted = Math.max(pagesPlanned, wanted);
    const isChanged = pageNo === 1 || wanted > pagesPlanned || declaredTotal !== unit.totalBefore;
    return isChanged ? { declaredTotal, resultsPerPage, planned: pagesPlanned, wanted } : null;
  }
}

const selectHadProducts = `
  select exists (
    select from ops.category_evidence e join ops.run using (run_id) where region = $1 and category_id = $2 and seen > 0
  ) or exists (
    select from catalog.category c
    join catalog.category_ancestor below on below.ancestor_key = c.category_key
    join catalog.product_category listed on listed.category_key = below.category_key
    where c.region = $1 and c.category_id = $2
  ) as had_products`;

const cameEmpty = ({ pageNo }: ClaimedPage) =>
  new RequestFailed('empty', {
    where: `Page ${pageNo} of a category`,
    what: 'it came back empty where products should be',
  });

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
