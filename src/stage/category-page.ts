import { from as copyFrom } from 'pg-copy-streams';
import type { Askable, Database, Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { LeaseLost } from '../errors.ts';
import { createGroupCommit } from '../group-commit.ts';
import type { CategoryPage, ListedProduct, Promotion, RegionCode, Rejection } from '../model/index.ts';
import { passesThrough } from './breadcrumb.ts';
import { copyRow } from './copy-text.ts';
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
}

/** Rows one transaction should hold: what arrives while the last one runs goes into the next, up to this many pages. */
const pagesPerTransaction = 40;

/**
 * Keeps what a page showed beside its ledger row: full records of products that are new or differ from the
 * catalogue, keys of the others, rejected elements in quarantine; marks the page done. Rejects with `LeaseLost`
 * when the page or its run belongs to somebody else by now.
 */
export function createPageStage(db: Database): (read: ReadPage) => Promise<void> {
  return createGroupCommit<ReadPage>({
    limit: pagesPerTransaction,
    groupOf: ({ claim }) => `${claim.run.runId}/${claim.run.epoch}/${claim.workerId}`,
    flush: async (reads) => {
      const run = reads[0]!.claim.run;
      const done = await stagePages(db, run, reads);
      return reads.map(({ claim }) =>
        done.has(nameOf(claim))
          ? null
          : new LeaseLost(`Page ${claim.pageNo} of category ${claim.categoryNo} in run ${run.runId}`),
      );
    },
  });
}

const nameOf = (page: { categoryNo: number; pageNo: number; reading: number }): string =>
  `${page.categoryNo}/${page.pageNo}/${page.reading}`;

interface Observation {
  readonly product: ListedProduct;
  readonly position: number;
  readonly hash: string;
  readonly promotionHashes: readonly string[];
  readonly isExtra: boolean;
}

async function stagePages(db: Database, run: StagedRun, reads: readonly ReadPage[]): Promise<Set<string>> {
  const promotions = new Map<string, Promotion>();
  const observations = reads.map((read) =>
    read.page.products.map((product, position) => see(read, product, position, promotions)),
  );
  const known = await knownProducts(db, run.region, observations);

  const seenKeys: string[] = [];
  const extraKeys: string[] = [];
  const stagedRows: string[][] = [];
  const neededPromotions = new Map<string, Promotion>();
  for (const [i, read] of reads.entries()) {
    const seen: number[] = [];
    const extra: number[] = [];
    const rows: string[] = [];
    for (const observation of observations[i]!) {
      const before = known.get(observation.product.productId);
      if (before && before.hash === observation.hash) {
        seen.push(before.key);
        if (observation.isExtra) extra.push(before.key);
        continue;
      }
      rows.push(stagedRow(read.claim, observation, before?.key ?? null));
      for (const hash of observation.promotionHashes) neededPromotions.set(hash, promotions.get(hash)!);
    }
    seenKeys.push(`{${seen.join(',')}}`);
    extraKeys.push(`{${extra.join(',')}}`);
    stagedRows.push(rows);
  }

  const hasRows = stagedRows.some((rows) => rows.length > 0);
  const hasRejected = reads.some((read) => read.rejected.length > 0);
  const markDone = async (sql: Askable): Promise<Set<string>> => {
    const done = await rowsOf<{ categoryNo: number; pageNo: number; reading: number }>(sql, markPagesDone, [
      run.runId,
      run.epoch,
      reads[0]!.claim.workerId,
      reads.map((r) => r.claim.categoryNo),
      reads.map((r) => r.claim.pageNo),
      reads.map((r) => r.claim.lease),
      reads.map((r) => r.page.itemsReceived),
      reads.map((r) => r.page.products.length),
      // What is wrong with part of a product explains none that is missing.
      reads.map((r) => r.rejected.filter(({ isPart }) => !isPart).length),
      reads.map((r) => r.page.declaredTotal),
      seenKeys,
      extraKeys,
      reads.map((r) => Buffer.from(r.payloadSha256, 'hex')),
      reads.map((r) => r.receivedAt),
      reads.map((r) => r.claim.reading),
    ]);
    return new Set(done.map(nameOf));
  };
  // A page that shows nothing new is one statement, and one statement is a transaction.
  if (!hasRows && !hasRejected) return markDone(db);

  return db.tx(async (tx) => {
    const done = await markDone(tx);
    const isDone = (read: ReadPage): boolean => done.has(nameOf(read.claim));
    await stagePromotions(tx, run.runId, neededPromotions);
    await copyListings(tx, stagedRows.filter((_, i) => isDone(reads[i]!)).flat());
    const rejected = reads.filter(isDone).flatMap(quarantinedOf);
    await quarantine(tx, run, reads[0]!.endpoint, rejected);
    return done;
  });
}

function quarantinedOf({ rejected, payloadSha256, receivedAt }: ReadPage): Quarantined[] {
  return rejected.map((rejection) => ({ rejection, payloadSha256, seenAt: receivedAt }));
}

function see(
  read: ReadPage,
  product: ListedProduct,
  position: number,
  promotions: Map<string, Promotion>,
): Observation {
  const hashes = product.promotions.map((promotion) => {
    const hash = promotionHash(promotion);
    promotions.set(hash, promotion);
    return hash;
  });
  const promotionHashes = hashes.length > 1 ? [...new Set(hashes)].sort() : hashes;
  return {
    product,
    position,
    promotionHashes,
    hash: listingHash(product, promotionHashes),
    isExtra: !passesThrough(product.breadcrumb, read.claim.rootId ?? read.claim.categoryId),
  };
}

async function knownProducts(
  db: Database,
  region: RegionCode,
  observations: readonly (readonly Observation[])[],
): Promise<Map<string, { key: number; hash: string }>> {
  const ids = [...new Set(observations.flat().map((observation) => observation.product.productId))].sort();
  if (ids.length === 0) return new Map();
  const rows = await rowsOf<{ product_id: string; product_key: number; listing_hash: string }>(
    db,
    'select product_id, product_key, listing_hash from catalog.product where region = $1 and product_id = any($2)',
    [region, ids],
  );
  return new Map(rows.map((row) => [row.product_id, { key: row.product_key, hash: row.listing_hash }]));
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

/** `for share`: publication and takeover lock the run's row, so neither can slip between this check and its commit. */
const markPagesDone = `
  with fence as materialized (
    select run_id from ops.run where run_id = $1 and epoch = $2 and status = 'open' for share
  ), read as (
    select * from unnest($4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[], $10::int[], $11::text[], $12::text[], $13::bytea[], $14::timestamptz[], $15::smallint[])
      as r (category_no, page_no, lease, items_received, distinct_products, rejected, declared_total, seen_keys, extra_keys, payload_sha256, fetched_at, reading)
  )
  update ops.category_page p
  set status = 'done', error = null, worker_id = null,
      items_received = r.items_received, distinct_products = r.distinct_products, rejected = r.rejected,
      declared_total = r.declared_total, seen_keys = r.seen_keys::int[], extra_keys = r.extra_keys::int[],
      payload_sha256 = r.payload_sha256, fetched_at = r.fetched_at
  from read r, fence
  where p.run_id = fence.run_id and p.category_no = r.category_no and p.page_no = r.page_no and p.reading = r.reading
    and p.status = 'planned' and p.lease = r.lease and p.worker_id = $3
  returning p.category_no as "categoryNo", p.page_no as "pageNo", p.reading`;

const copyIntoListing = `
  copy stage.listing (run_id, category_no, page_no, reading, position, product_id, product_key, listing_hash, tpnb, gtin, title,
    brand, image_url, is_for_sale, price_minor, unit_price, unit_of_measure, leaf_no, leaf_id, is_extra, promotion_hashes)
  from stdin`;
