import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { ClaimLost } from '../../src/base/errors.ts';
import type {
  CategoryPage,
  ListedProduct,
  ProductDetail,
  Promotion,
  PromotionMeaning,
} from '../../src/base/model/index.ts';
import type { ClaimedPage } from '../../src/crawl/kinds/pages.ts';
import { planCategories } from '../../src/crawl/ledger/pages.ts';
import { createRuns, type Run } from '../../src/crawl/run/runs.ts';
import { move } from '../../src/crawl/run/transitions.ts';
import { type PagePlan, showPage, stagePages } from '../../src/crawl/stage/category-page.ts';
import { readKnownProducts } from '../../src/crawl/stage/known-products.ts';
import { stageTaxonomy } from '../../src/crawl/stage/taxonomy.ts';
import { unitsOf } from '../../src/crawl/units.ts';
import type { Database, Queryable } from '../../src/db/client.ts';
import { categoryCrawl, categoryPage } from '../../src/db/tables/index.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { insert } from './insert.ts';

export const topCategory = encodeCategoryId(['Bakery']);

/** A run of the UK with one category, by default Bakery, with planned and unclaimed pages. */
export async function openRun(db: Database, { date = '2026-03-01', pages = 3, name = 'Bakery' } = {}): Promise<Run> {
  const runs = createRuns(db);
  const run = await runs.open({
    region: 'uk',
    snapshotDate: date,
    now: new Date(`${date}T02:00:00Z`),
    maxDetails: 100,
    origin: 'command',
  });
  await db.tx(async (tx) => {
    await stageTaxonomy(tx, run.runId, [
      { categoryId: topCategory, parentId: null, name, label: 'superDepartment', depth: 0 },
    ]);
    await planCategories(tx, run.runId, [{ categoryNo: 1, categoryId: topCategory, rootNo: 1 }]);
    await planPages(tx, run.runId, 1, pages);
    await move(tx, 'startCategories', run);
  });
  return runs.byId(run.runId);
}

/** Plans as many pages of a category, of which the first is planned. */
export const planPages = (sql: Queryable, runId: number, categoryNo: number, pages: number) =>
  sql.query(
    `with grown as (update ops.category_crawl set pages_planned = $3 where run_id = $1 and category_no = $2)
     insert into ops.category_page (run_id, category_no, page_no)
     select $1, $2::int, page_no from generate_series(2, $3::int) as page_no`,
    [runId, categoryNo, pages],
  );

/** Marks all pages of a run as read: it has no details to request and is finishing. */
export async function finishReading(db: Database, run: Pick<Run, 'runId'>): Promise<void> {
  for (const name of ['startDetails', 'startFinishing'] as const) {
    if (!(await move(db, name, run))) throw new Error(`run ${run.runId} cannot make the transition ${name}`);
  }
}

/** A worker whose leases count for so long; negative: it died a moment ago. */
export async function enlistWorker(db: Database, aliveForMs = 60_000): Promise<string> {
  const workerId = randomUUID();
  await insert(db, 'ops.worker', [
    {
      worker_id: workerId,
      host: 'elsewhere',
      pid: 1,
      command: 'work',
      key: 'key',
      started_at: new Date(0),
      alive_until: new Date(Date.now() + aliveForMs),
    },
  ]);
  return workerId;
}

/** Claims all pages of a run that no living worker has. */
export async function claimAll(db: Database, runId: number, workerId: string): Promise<ClaimedPage[]> {
  const pages = await db.orm
    .update(categoryPage)
    .set({ workerId, claimToken: sql`${categoryPage.claimToken} + 1` })
    .where(
      sql`${categoryPage.runId} = ${runId} and ${categoryPage.status} = 'planned' and not exists (
        select from ops.worker w
        where w.worker_id = ${categoryPage.workerId} and w.worker_id <> ${workerId}
          and w.alive_until > clock_timestamp())`,
    )
    .returning();
  const categories = await db.orm.select().from(categoryCrawl).where(eq(categoryCrawl.runId, runId));
  const idOf = new Map(categories.map(({ categoryNo, categoryId }) => [categoryNo, categoryId]));
  const ofCategory = (categoryNo: number) => {
    const categoryId = idOf.get(categoryNo)!;
    return { categoryId, rootId: categoryId, totalBefore: null, pagesPlanned: 0 };
  };
  return pages
    .map((page) => ({ ...page, ...ofCategory(page.categoryNo), isSample: false, isSuspect: false }))
    .sort((a, b) => a.pageNo - b.pageNo);
}

/** A page that a worker has read. */
export interface ReadPage {
  readonly run: Run;
  readonly claim: ClaimedPage;
  readonly page: CategoryPage;
  readonly plan?: PagePlan;
}

/** Stages pages as a worker does. Returns those whose claims still held. */
export async function stageAll(db: Database, reads: readonly ReadPage[]): Promise<ReadPage[]> {
  const [{ run }] = reads as [ReadPage];
  const units = unitsOf(db, { table: categoryPage, phase: 'categories' }, run, randomUUID());
  const known = await readKnownProducts(db, run.region);
  const categoryNos = new Map(reads.map(({ claim }) => [claim.categoryId, claim.categoryNo]));
  const shown = reads.map(({ claim, page, plan = null }) => ({
    categoryNo: claim.categoryNo,
    shown: showPage({ runId: run.runId, categoryNos }, claim, page, known),
    plan,
  }));
  return db.tx(async (tx) => {
    const done = reads.map(({ claim: unit }, i) => ({
      unit,
      values: {
        ...shown[i]!.shown.values,
        rejected: 0,
        payloadSha256: `\\x${'ab'.repeat(32)}`,
        fetchedAt: run.observedAt,
      },
    }));
    const settled = await units.settle(tx, done);
    const isKept = (i: number) => settled.has(reads[i]!.claim.unitId);
    await stagePages(
      tx,
      run.runId,
      shown.filter((_, i) => isKept(i)),
    );
    return reads.filter((_, i) => isKept(i));
  });
}

/** Stages one page; throws if its claim is no longer valid. */
export async function stageOne(db: Database, read: ReadPage): Promise<void> {
  if ((await stageAll(db, [read])).length === 0) throw new ClaimLost('The page');
}

export function listed(productId: string, fields: Partial<ListedProduct> = {}): ListedProduct {
  return {
    productId,
    tpnb: null,
    gtin: null,
    title: `Product ${productId}`,
    brand: null,
    imageUrl: null,
    isForSale: true,
    priceMinor: 100,
    unitPrice: '1',
    unitOfMeasure: 'each',
    seller: null,
    catchWeightGrams: null,
    charges: null,
    depositMinor: null,
    promotions: [],
    breadcrumb: [topCategory],
    ...fields,
  };
}

/** A promotion whose text means nothing to the program. */
export function promoted({
  description,
  offerType = null,
  startsAt = null,
  endsAt = null,
  ...meaning
}: Pick<Promotion, 'description'> & Partial<Omit<Promotion, 'meaning'> & PromotionMeaning>): Promotion {
  return {
    description,
    offerType,
    startsAt,
    endsAt,
    meaning: {
      kind: 'unknown',
      loyaltyPriceMinor: null,
      loyaltyUnitPrice: null,
      loyaltyUnitMeasure: null,
      quantity: null,
      payQuantity: null,
      dealPriceMinor: null,
      savePercent: null,
      wasPriceMinor: null,
      nowPriceMinor: null,
      savingMinor: null,
      depositMinor: null,
      ...meaning,
    },
  };
}

/** A product's own page with nothing on it. */
export function detailed(fields: Partial<ProductDetail> = {}): ProductDetail {
  return {
    productId: '1',
    gtin: null,
    title: null,
    description: null,
    ingredients: null,
    allergens: [],
    packSize: null,
    packMeasure: null,
    packCount: null,
    storage: null,
    productType: null,
    status: null,
    priceMinor: null,
    nutrition: [],
    catchWeightGrams: null,
    charges: null,
    depositMinor: null,
    breadcrumb: [],
    ...fields,
  };
}

/** Content of a claimed page. */
export function readOf(run: Run, claim: ClaimedPage, products: readonly ListedProduct[]): ReadPage {
  const { categoryId, pageNo } = claim;
  const page: CategoryPage = {
    categoryId,
    pageNo,
    declaredTotal: null,
    resultsPerPage: 24,
    itemsReceived: products.length,
    itemsDeclared: products.length,
    products,
  };
  return { run, claim, page };
}
