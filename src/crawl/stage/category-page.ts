import { setImmediate } from 'node:timers/promises';
import { from as copyFrom } from 'pg-copy-streams';
import type { CategoryPage, ListedProduct, Promotion, RegionCode, Rejection } from '../../base/model/index.ts';
import type { Askable, Database, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { unitsChannel } from '../ledger/units.ts';
import { passesThrough } from './breadcrumb.ts';
import { copyRow } from './copy-text.ts';
import type { KnownProducts } from './known-products.ts';
import { listingHash, promotionHash } from './listing-hash.ts';
import { stagePromotions } from './promotion.ts';
import { type Quarantined, quarantine } from './quarantine.ts';

/** The run a page belongs to, as its worker knows it. */
export interface StagedRun {
  readonly runId: number;
  readonly epoch: number;
  readonly region: RegionCode;
  /** Ranks of the run's taxonomy by category id. */
  readonly categoryNos: ReadonlyMap<string, number>;
}

/** A page as claimed by a worker. */
export interface ClaimedPage {
  readonly run: StagedRun;
  readonly categoryNo: number;
  readonly categoryId: string;
  /** The frontier category it helps to cover, when that is another one: what it lists counts as listed there. */
  readonly rootId?: string;
  readonly pageNo: number;
  readonly reading: number;
  readonly lease: number;
  readonly workerId: string;
}

export interface ReadPage {
  readonly claim: ClaimedPage;
  readonly page: CategoryPage;
  readonly rejected: readonly Rejection[];
  readonly payloadSha256: string;
  readonly endpoint: string;
  readonly receivedAt: Date;
  /** What it says of its category; left out where that is known already. */
  readonly plan?: PagePlan;
}

/** What a page says of its category and of the pages after it. */
export interface PagePlan {
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  /** Pages planned when the page was claimed, and pages there should be. */
  readonly planned: number;
  readonly wanted: number;
}

/**
 * Keeps what a group of pages of one run showed beside their ledger rows: full records of products that are new or
 * differ from the catalogue, keys of the others, rejected elements in quarantine; marks the pages done and plans those
 * that follow from them, in one transaction. Returns the pages that were kept: the others, or their run, belong to
 * somebody else by now.
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
  const markDone = async (sql: Askable): Promise<Set<ReadPage>> => {
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
      // What is wrong with part of a product explains none that is missing.
      reads.map(({ rejected }) => rejected.filter(({ isPart }) => !isPart).length),
      reads.map(({ page }) => page.declaredTotal),
      shown.map(({ seen }) => `{${seen.join(',')}}`),
      shown.map(({ extra }) => `{${extra.join(',')}}`),
      reads.map(({ payloadSha256 }) => Buffer.from(payloadSha256, 'hex')),
      reads.map(({ receivedAt }) => receivedAt),
      reads.map(({ plan }) => plan?.declaredTotal ?? null),
      reads.map(({ plan }) => plan?.resultsPerPage ?? null),
      reads.map(({ plan }) => plan?.planned ?? 0),
      reads.map(({ plan }) => plan?.wanted ?? 0),
    ]);
    return new Set(done.map(({ n }) => reads[n - 1]!));
  };
  // Pages that show nothing new are one statement, and one statement is a transaction.
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
  /** Keys of products that are listed as the catalogue has them; of those, the ones that belong elsewhere. */
  readonly seen: readonly number[];
  readonly extra: readonly number[];
  /** The others, for COPY. */
  readonly rows: readonly string[];
}

function showOn(read: ReadPage, known: KnownProducts, promotions: Map<string, Promotion>): Shown {
  const seen: number[] = [];
  const extra: number[] = [];
  const rows: string[] = [];
  for (const [position, product] of read.page.products.entries()) {
    const hashes = product.promotions.map(promotionHash);
    const promotionHashes = hashes.length > 1 ? [...new Set(hashes)].sort() : hashes;
    const hash = listingHash(product, promotionHashes);
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
  claim: ClaimedPage,
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
 * `for share`: publication and takeover lock the run's row, so neither can slip between this check and its commit. Each
 * page is looked up by itself, whatever the statistics of a table say that was filled a moment ago. Categories are
 * locked in one order, so that workers never wait in a circle.
 */
const markPagesDone = `
  with fence as materialized (
    select run_id from ops.run where run_id = $1 and epoch = $2 and status = 'open' for share
  ), read as materialized (
    select * from unnest($4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::int[], $12::text[],
      $13::text[], $14::bytea[], $15::timestamptz[], $16::int[], $17::int[], $18::int[], $19::int[])
      with ordinality as r (category_no, page_no, reading, lease, items_received, distinct_products, rejected, declared_total,
        seen_keys, extra_keys, payload_sha256, fetched_at, category_total, results_per_page, planned, wanted, n)
  ), held as materialized (
    select r.*, page.at
    from fence cross join read r cross join lateral (
      select p.ctid as at from ops.category_page p
      where p.run_id = fence.run_id and p.category_no = r.category_no and p.page_no = r.page_no and p.reading = r.reading
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
    where c.run_id = $1 and (c.declared_last is distinct from coalesce(said.last_total, c.declared_last) or said.wanted > c.pages_planned)
    order by category_no for update of c
  ), declared as (
    update ops.category_crawl c
    set declared_first = coalesce(c.declared_first, said.first_total), declared_last = coalesce(said.last_total, c.declared_last),
      results_per_page = coalesce(said.results_per_page, c.results_per_page), pages_planned = greatest(c.pages_planned, said.wanted)
    from changed said where c.run_id = $1 and c.category_no = said.category_no
  ), planned as (
    insert into ops.category_page (run_id, category_no, page_no)
    select $1, category_no, page_no
    from changed cross join lateral generate_series(planned + 1, wanted) as page_no
    where wanted > planned
    order by category_no, page_no
    on conflict do nothing returning 1
  )
  select n::int as n, (select pg_notify('${unitsChannel}', $1::int::text) where exists (select from planned)) from done`;

const copyIntoListing = `
  copy stage.listing (run_id, category_no, page_no, reading, position, product_id, product_key, listing_hash, tpnb, gtin, title,
    brand, image_url, is_for_sale, price_minor, unit_price, unit_of_measure, seller,
    catch_weight_grams, charges, deposit_minor, leaf_no, leaf_id, is_extra, promotion_hashes)
  from stdin`;
