import { randomUUID } from 'node:crypto';
import { LeaseLost } from '../../src/base/errors.ts';
import type {
  CategoryPage,
  ListedProduct,
  ProductDetail,
  Promotion,
  PromotionMeaning,
} from '../../src/base/model/index.ts';
import { type ClaimedPage, createPages, pageUnits } from '../../src/crawl/ledger/pages.ts';
import { move } from '../../src/crawl/ledger/run-life.ts';
import { createRuns, type Run } from '../../src/crawl/ledger/runs.ts';
import { type ReadPage, type StagedRun, stagePages } from '../../src/crawl/stage/category-page.ts';
import { readKnownProducts } from '../../src/crawl/stage/known-products.ts';
import { stageTaxonomy } from '../../src/crawl/stage/taxonomy.ts';
import type { Database } from '../../src/db/client.ts';
import { encodeCategoryId } from '../../src/source/normalise/category-id.ts';
import { insert } from './insert.ts';

export const topCategory = encodeCategoryId(['Bakery']);

/** A run of the UK with one category, by default Bakery, with planned and unclaimed pages. */
export async function openRun(db: Database, { date = '2026-03-01', pages = 3, name = 'Bakery' } = {}): Promise<Run> {
  const runs = createRuns(db);
  const { run } = await runs.open({
    region: 'uk',
    snapshotDate: date,
    now: new Date(`${date}T02:00:00Z`),
    maxDetails: 100,
    origin: 'command',
  });
  const ledger = createPages(db);
  await db.tx(async (tx) => {
    await stageTaxonomy(tx, run.runId, [
      { categoryId: topCategory, parentId: null, name, label: 'superDepartment', depth: 0, ordinal: 0 },
    ]);
    await ledger.planCategories(tx, run.runId, [{ categoryNo: 1, categoryId: topCategory, rootNo: 1 }]);
    await ledger.extend(tx, run.runId, 1, pages);
    await move(tx, 'startCategories', run);
  });
  return runs.byId(run.runId);
}

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

/** Claims every page that can be had, those of dead workers among them. */
export async function claimAll(db: Database, runId: number, workerId: string): Promise<ClaimedPage[]> {
  await pageUnits.freeDead(db, runId, workerId, { own: true });
  const claimed = await pageUnits.claim(db, { runId, workerId, limit: 10_000, after: null });
  return [...claimed].sort((a, b) => a.pageNo - b.pageNo);
}

/** Stages one page that a worker read; throws if the worker's claim is no longer valid. */
export async function stageOne(db: Database, read: ReadPage): Promise<void> {
  const kept = await stagePages(db, await readKnownProducts(db, read.claim.run.region), [read]);
  if (!kept.has(read)) throw new LeaseLost('The page');
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
    tpnb: null,
    gtin: null,
    title: null,
    brand: null,
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
export function readOf(run: Run, claim: ClaimedPage, workerId: string, products: readonly ListedProduct[]): ReadPage {
  const staged: StagedRun = {
    runId: run.runId,
    epoch: run.epoch,
    region: run.region,
    categoryNos: new Map([[topCategory, 1]]),
  };
  const { categoryNo, categoryId, pageNo, reading, lease } = claim;
  const page: CategoryPage = {
    categoryId,
    pageNo,
    declaredTotal: null,
    resultsPerPage: 24,
    itemsReceived: products.length,
    itemsDeclared: products.length,
    nullNodes: 0,
    products,
    repeats: 0,
  };
  return {
    claim: { run: staged, categoryNo, categoryId, pageNo, reading, lease, workerId },
    page,
    rejected: [],
    payloadSha256: 'ab'.repeat(32),
    endpoint: 'uk-category-page',
    receivedAt: run.observedAt,
  };
}
