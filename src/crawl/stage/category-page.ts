import { setImmediate } from 'node:timers/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { CategoryPage, ListedProduct, Promotion, RegionCode, Rejection } from '../../base/model/index.ts';
import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { passesThrough } from './breadcrumb.ts';
import { copyRow } from './copy-text.ts';
import { entryHash, promotionHash } from './entry-hash.ts';
import type { KnownProducts } from './known-products.ts';
import { stagePromotions } from './promotion.ts';
import { type Quarantined, quarantine } from './quarantine.ts';

/** A page's run, as known to its worker. */
export interface StagedRun {
  readonly runId: number;
  readonly epoch: number;
  readonly region: RegionCode;
  /** Numbers of the run's categories by category id. */
  readonly categoryNos: ReadonlyMap<string, number>;
}

/** A page as claimed by a worker. */
export interface StagedClaim {
  readonly run: StagedRun;
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category that it helps to cover, if different: products listed here count as listed there. */
  readonly rootId?: string;
  readonly pageNo: number;
  readonly reading: number;
  readonly lease: number;
  readonly workerId: string;
}

export interface ReadPage {
  readonly claim: StagedClaim;
  readonly page: CategoryPage;
  readonly rejected: readonly Rejection[];
  readonly payloadSha256: string;
  readonly endpoint: string;
  readonly receivedAt: Date;
  /** Effect on its category's plan; omitted if unchanged. */
  readonly plan?: PagePlan;
}

/** Totals that a page declares for its category, and the number of pages that follows from them. */
export interface PagePlan {
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  /** Pages planned when the page was claimed, and pages wanted now. */
  readonly planned: number;
  readonly wanted: number;
}

/**
 * Stages a group of pages of one run in one transaction: full records of products that are new or differ from the
 * catalogue, keys of the others, and quarantined elements. Marks the pages as done and plans the pages that follow.
 * Returns the pages that were staged; the others, or their run, belong to another worker by now.
 */
export async function stagePages(
  db: Database,
  known: KnownProducts,
  reads: readonly ReadPage[],
): Promise<ReadonlySet<ReadPage>> {
  const [first] = reads;
  if (!first) return new Set();
  const { run, workerId } = first.claim;
  const promotions = new Map<string, Promotion>();
  const shown: Shown[] = [];
  for (const read of reads) {
    shown.push(showOn(read, known, promotions));
    // Others are heard between two pages.
    await setImmediate();
  }
  const isRecorded = shown.some(({ rows }) => rows.length > 0) || reads.some(({ rejected }) => rejected.length > 0);
  const markDone = async (sql: Queryable): Promise<Set<ReadPage>> => {
    const done = await rowsOf<{ n: number }>(sql, markPagesDone, [
      run.runId,
      run.epoch,
      workerId,
      reads.map(({ claim }) => claim.categoryNo),
      reads.map(({ claim }) => claim.pageNo),
      reads.map(({ claim }) => claim.reading),
      reads.map(({ claim }) => claim.lease),
      reads.map(({ page }) => page.itemsReceived),
      reads.map(({ page }) => page.products.length),
      // A defect in part of a product does not explain a missing product.
      reads.map(({ rejected }) => rejected.filter(({ isPart }) => !isPart).length),
      reads.map(({ page }) => page.declaredTotal),
      shown.map(({ seen }) => arrayOf(seen)),
      shown.map(({ extra }) => arrayOf(extra)),
      reads.map(({ payloadSha256 }) => Buffer.from(payloadSha256, 'hex')),
      reads.map(({ receivedAt }) => receivedAt),
      reads.map(({ plan }) => plan?.declaredTotal ?? null),
      reads.map(({ plan }) => plan?.resultsPerPage ?? null),
      reads.map(({ plan }) => plan?.planned ?? 0),
      reads.map(({ plan }) => plan?.wanted ?? 0),
    ]);
    return new Set(done.map(({ n }) => reads[n - 1]!));
  };
  // Without new products a single statement suffices, which is its own transaction.
  if (!isRecorded) return markDone(db);

  return db.tx(async (tx) => {
    const done = await markDone(tx);
    await stagePromotions(tx, run.runId, promotions);
    await copyListings(
      tx,
      shown.flatMap(({ rows }, i) => (done.has(reads[i]!) ? rows : [])),
    );
    await quarantine(tx, run, first.endpoint, reads.filter((read) => done.has(read)).flatMap(quarantinedOf));
    return done;
  });
}

interface Shown {
  /** Keys of products that equal the catalogue; `extra`: those of them that belong to another category. */
  readonly seen: readonly number[];
  readonly extra: readonly number[];
  /** Rows of all other products, for COPY. */
  readonly rows: readonly string[];
}

function showOn(read: ReadPage, known: KnownProducts, promotions: Map<string, Promotion>): Shown {
  const seen: number[] = [];
  const extra: number[] = [];
  const rows: string[] = [];
  for (const [position, product] of read.page.products.entries()) {
    const hashes = product.promotions.map(promotionHash);
    const promotionHashes = hashes.length > 1 ? [...new Set(hashes)].sort() : hashes;
    const hash = entryHash(product, promotionHashes);
    const isExtra = !passesThrough(product.breadcrumb, read.claim.rootId ?? read.claim.categoryId);
    const before = known(product.productId);
    if (before?.isListedAs(hash)) {
      seen.push(before.key);
      if (isExtra) extra.push(before.key);
      continue;
    }
    rows.push(stagedRow(read.claim, { product, position, promotionHashes, hash, isExtra }, before?.key ?? null));
    for (const [i, promotion] of product.promotions.entries()) promotions.set(hashes[i]!, promotion);
  }
  return { seen, extra, rows };
}

/** Array literal of keys, ascending, so that a replay writes the same. */
const arrayOf = (keys: readonly number[]): string => `{${[...keys].sort((a, b) => a - b).join(',')}}`;

function quarantinedOf({ rejected, payloadSha256, receivedAt }: ReadPage): Quarantined[] {
  return rejected.map((rejection) => ({ rejection, payloadSha256, seenAt: receivedAt }));
}

interface Observation {
  readonly product: ListedProduct;
  readonly position: number;
  readonly hash: string;
  readonly promotionHashes: readonly string[];
  readonly isExtra: boolean;
}

function stagedRow(
  claim: StagedClaim,
  { product, position, hash, promotionHashes, isExtra }: Observation,
  key: number | null,
): string {
  const leafId = product.breadcrumb.at(-1) ?? null;
  const leafNo = leafId === null ? null : (claim.run.categoryNos.get(leafId) ?? null);
  return copyRow([
    claim.run.runId,
    claim.categoryNo,
    claim.pageNo,
    claim.reading,
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

/**
 * `for share`: publication and takeover lock the run's row, so neither can happen between this check and its commit.
 * Pages are looked up one by one, to be independent of outdated table statistics. Categories are locked in order, to
 * avoid deadlocks between workers.
 */
const markPagesDone = `
  with fence as materialized (
    select run_id from ops.run where run_id = $1 and epoch = $2 and status in ('open', 'held') for share
  ), read as materialized (
    select * from unnest(
      $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[], $12::text[],
      $13::text[], $14::bytea[], $15::timestamptz[], $16::int[], $17::int[], $18::int[], $19::int[])
      with ordinality as r (
        category_no, page_no, reading, lease, items_received, distinct_products, rejected, declared_total,
        seen_keys, extra_keys, payload_sha256, fetched_at, category_total, results_per_page, planned, wanted, n)
  ), held as materialized (
    select r.*, page.at
    from fence cross join read r cross join lateral (
      select p.ctid as at from ops.category_page p
      where p.run_id = fence.run_id
        and p.category_no = r.category_no and p.page_no = r.page_no and p.reading = r.reading
        and p.status = 'planned' and p.lease = r.lease and p.worker_id = $3
      limit 1 for update) page
  ), done as (
    update ops.category_page p
    set status = 'done', error = null, worker_id = null, not_before = null,
      items_received = r.items_received, distinct_products = r.distinct_products, rejected = r.rejected,
      declared_total = r.declared_total, seen_keys = r.seen_keys::int[], extra_keys = r.extra_keys::int[],
      payload_sha256 = r.payload_sha256, fetched_at = r.fetched_at
    from held r where p.ctid = r.at
    returning r.n
  ), said as materialized (
    select category_no, min(planned) as planned, max(wanted) as wanted,
      (array_agg(category_total order by n) filter (where category_total is not null))[1] as first_total,
      (array_agg(category_total order by n desc) filter (where category_total is not null))[1] as last_total,
      (array_agg(results_per_page order by n desc) filter (where results_per_page is not null))[1] as results_per_page
    from held group by category_no
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
  ), planned as (
    insert into ops.category_page (run_id, category_no, page_no)
    select $1, category_no, page_no
    from changed cross join lateral generate_series(planned + 1, wanted) as page_no
    where wanted > planned
    order by category_no, page_no
    on conflict do nothing
  )
  select n::int as n from done`;

const copyIntoListing = `
  copy stage.product (
    run_id, category_no, page_no, reading, position, product_id, product_key, entry_hash, tpnb, gtin, title,
    brand, image_url, is_for_sale, price_minor, unit_price, unit_of_measure, seller,
    catch_weight_grams, charges, deposit_minor, leaf_no, leaf_id, is_extra, promotion_hashes)
  from stdin`;
