import { from as copyFrom } from 'pg-copy-streams';
import type { CategoryPage, ListedProduct, Promotion } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { passesThrough } from './breadcrumb.ts';
import { copyRow } from './copy-text.ts';
import { entryHash, promotionHash } from './entry-hash.ts';
import type { KnownProducts } from './known-products.ts';
import { stagePromotions } from './promotion.ts';
import { readTitle, titleColumnNames } from './read-title.ts';

/** A run as its pages are staged. */
export interface StagedRun {
  readonly runId: number;
  /** Numbers of the run's categories by category id. */
  readonly categoryNos: ReadonlyMap<string, number>;
}

/** Which page it is. */
export interface PageOfRun {
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category that it helps to cover: products listed here count as listed there. */
  readonly rootId: string;
  readonly pageNo: number;
  readonly attemptNo: number;
}

/** Totals that a page declares for its category, and the number of pages that follows from them. */
export interface PagePlan {
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  /** Pages planned when the page was claimed, and pages wanted now. */
  readonly planned: number;
  readonly wanted: number;
}

/** A page in the form in which it is staged. */
export interface ShownPage {
  /** Values of its row in `ops.category_page`, with the keys of products that equal the catalogue. */
  readonly values: Readonly<Record<string, unknown>>;
  /** Rows of all other products, for COPY, and their promotions by hash. */
  readonly rows: readonly string[];
  readonly promotions: ReadonlyMap<string, Promotion>;
}

/** Compares the products of a page with the catalogue. */
export function showPage(run: StagedRun, page: PageOfRun, read: CategoryPage, known: KnownProducts): ShownPage {
  const seen: number[] = [];
  const extra: number[] = [];
  const rows: string[] = [];
  const promotions = new Map<string, Promotion>();
  for (const [position, product] of read.products.entries()) {
    const hashes = product.promotions.map(promotionHash);
    const promotionHashes = hashes.length > 1 ? [...new Set(hashes)].sort() : hashes;
    const hash = entryHash(product, promotionHashes);
    const isExtra = !passesThrough(product.breadcrumb, page.rootId);
    const before = known(product.productId);
    if (before?.isListedAs(hash)) {
      seen.push(before.key);
      if (isExtra) extra.push(before.key);
      continue;
    }
    rows.push(stagedRow(run, page, { product, position, promotionHashes, hash, isExtra }, before?.key ?? null));
    for (const [i, promotion] of product.promotions.entries()) promotions.set(hashes[i]!, promotion);
  }
  const values = {
    itemsReceived: read.itemsReceived,
    distinctProducts: read.products.length,
    declaredTotal: read.declaredTotal,
    seenKeys: ascending(seen),
    extraKeys: ascending(extra),
  };
  return { values, rows, promotions };
}

/** So that a replay writes the same. */
const ascending = (keys: readonly number[]): number[] => [...keys].sort((a, b) => a - b);

/** Stages pages of a run whose rows are done, and plans the pages that follow. */
export async function stagePages(
  tx: Transaction,
  runId: number,
  pages: readonly { readonly categoryNo: number; readonly shown: ShownPage; readonly plan: PagePlan | null }[],
): Promise<void> {
  await planFurther(
    tx,
    runId,
    pages.flatMap(({ categoryNo, plan }) => (plan ? [{ categoryNo, ...plan }] : [])),
  );
  await stagePromotions(tx, runId, new Map(pages.flatMap(({ shown }) => [...shown.promotions])));
  await copyListings(
    tx,
    pages.flatMap(({ shown }) => shown.rows),
  );
}

async function planFurther(
  tx: Transaction,
  runId: number,
  plans: readonly (PagePlan & { readonly categoryNo: number })[],
): Promise<void> {
  if (plans.length === 0) return;
  await tx.query(insertPlannedPages, [
    runId,
    plans.map(({ categoryNo }) => categoryNo),
    plans.map(({ declaredTotal }) => declaredTotal),
    plans.map(({ resultsPerPage }) => resultsPerPage),
    plans.map(({ planned }) => planned),
    plans.map(({ wanted }) => wanted),
  ]);
}

interface Observation {
  readonly product: ListedProduct;
  readonly position: number;
  readonly hash: string;
  readonly promotionHashes: readonly string[];
  readonly isExtra: boolean;
}

function stagedRow(
  { runId, categoryNos }: StagedRun,
  { categoryNo, pageNo, attemptNo }: PageOfRun,
  { product, position, hash, promotionHashes, isExtra }: Observation,
  key: number | null,
): string {
  const leafId = product.breadcrumb.at(-1) ?? null;
  const leafNo = leafId === null ? null : (categoryNos.get(leafId) ?? null);
  return copyRow([
    runId,
    categoryNo,
    pageNo,
    attemptNo,
    position,
    product.productId,
    key,
    hash,
    product.tpnb,
    product.gtin,
    product.title,
    product.brand,
    product.imageUrl,
    product.isForSale,
    product.priceMinor,
    product.unitPrice,
    product.unitOfMeasure,
    product.seller,
    product.catchWeightGrams,
    product.charges === null ? null : JSON.stringify(product.charges),
    product.depositMinor,
    product.extra ? JSON.stringify(product.extra) : null,
    ...readTitle(product.title),
    leafNo,
    leafNo === null ? leafId : null,
    isExtra,
    promotionHashes.length === 0 ? null : `{${promotionHashes.join(',')}}`,
  ]);
}

async function copyListings(tx: Transaction, rows: readonly string[]): Promise<void> {
  if (rows.length === 0) return;
  const stream = tx.client.query(copyFrom(copyIntoListing));
  await new Promise<void>((resolve, reject) => {
    stream.on('finish', resolve);
    stream.on('error', reject);
    stream.end(rows.join(''));
  });
}

/** Categories are locked in order, to avoid deadlocks between workers. */
const insertPlannedPages = `
  with read as materialized (
    select * from unnest($2::int[], $3::int[], $4::int[], $5::int[], $6::int[])
      with ordinality as r (category_no, category_total, results_per_page, planned, wanted, n)
  ), said as materialized (
    select category_no, min(planned) as planned, max(wanted) as wanted,
      (array_agg(category_total order by n) filter (where category_total is not null))[1] as first_total,
      (array_agg(category_total order by n desc) filter (where category_total is not null))[1] as last_total,
      (array_agg(results_per_page order by n desc) filter (where results_per_page is not null))[1] as results_per_page
    from read group by category_no
  ), changed as materialized (
    select said.*
    from ops.category_crawl c join said using (category_no)
    where c.run_id = $1 and (
      c.declared_last is distinct from coalesce(said.last_total, c.declared_last)
      or said.wanted > c.pages_planned)
    order by category_no for update of c
  ), declared as (
    update ops.category_crawl c
    set declared_first = coalesce(c.declared_first, said.first_total),
      declared_last = coalesce(said.last_total, c.declared_last),
      results_per_page = coalesce(said.results_per_page, c.results_per_page),
      pages_planned = greatest(c.pages_planned, said.wanted)
    from changed said where c.run_id = $1 and c.category_no = said.category_no
  )
  insert into ops.category_page (run_id, category_no, page_no)
  select $1, category_no, page_no
  from changed cross join lateral generate_series(planned + 1, wanted) as page_no
  where wanted > planned
  -- In the order in which the categories are read: with few requests, those unread for longest come first.
  order by (
    select min(u.unit_id) from ops.category_page u where u.run_id = $1 and u.category_no = changed.category_no), page_no
  on conflict do nothing`;

const copyIntoListing = `
  copy stage.product (
    run_id, category_no, page_no, attempt_no, position, product_id, product_key, entry_hash, tpnb, gtin, title,
    brand, image_url, is_for_sale, price_minor, unit_price, unit_of_measure, seller,
    catch_weight_grams, charges, deposit_minor, extra, ${titleColumnNames}, leaf_no, leaf_id, is_extra,
    promotion_hashes)
  from stdin`;
