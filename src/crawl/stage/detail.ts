import type { ProductDetail, Rejection } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { StagedRun } from './category-page.ts';
import { detailHash } from './entry-hash.ts';
import { type Quarantined, quarantine } from './quarantine.ts';

export interface ReadDetail {
  readonly run: Omit<StagedRun, 'categoryNos'>;
  readonly productId: string;
  readonly lease: number;
  readonly workerId: string;
  /** Null: the upstream has no such product. */
  readonly detail: ProductDetail | null;
  readonly rejected: readonly Rejection[];
  readonly payloadSha256: string | null;
  readonly endpoint: string;
  readonly receivedAt: Date;
}

/**
 * Stages product details and marks them as done, in one transaction. Returns those that were staged; the others belong
 * to another worker by now.
 */
export async function stageDetails(db: Database, reads: readonly ReadDetail[]): Promise<ReadonlySet<ReadDetail>> {
  const [first] = reads;
  if (!first) return new Set();
  const { run, workerId, endpoint } = first;
  return db.tx(async (tx) => {
    const rows = await rowsOf<{ productId: string }>(tx, markDetailsDone, [
      run.runId,
      run.epoch,
      workerId,
      reads.map((read) => read.productId),
      reads.map((read) => read.lease),
      reads.map((read) => (read.detail ? 'found' : 'not_there')),
      reads.map((read) => (read.payloadSha256 === null ? null : Buffer.from(read.payloadSha256, 'hex'))),
      reads.map((read) => read.receivedAt),
    ]);
    const products = new Set(rows.map(({ productId }) => productId));
    const done = new Set(reads.filter(({ productId }) => products.has(productId)));
    const found = [...done].flatMap(({ productId, detail }) =>
      detail
        ? [{ ...detail, productId, leafId: detail.breadcrumb.at(-1) ?? null, detailHash: detailHash(detail) }]
        : [],
    );
    if (found.length > 0) await tx.query(insertDetails, [run.runId, JSON.stringify(found)]);
    await quarantine(tx, run, endpoint, [...done].flatMap(quarantinedOf));
    return done;
  });
}

function quarantinedOf({ rejected, payloadSha256, receivedAt }: ReadDetail): Quarantined[] {
  return rejected.map((rejection) => ({ rejection, payloadSha256, seenAt: receivedAt }));
}

const markDetailsDone = `
  with fence as materialized (
    select run_id from ops.run where run_id = $1 and epoch = $2 and status in ('open', 'held') for share
  ), read as (
    select * from unnest($4::text[], $5::int[], $6::text[], $7::bytea[], $8::timestamptz[])
      as r (product_id, lease, outcome, payload_sha256, fetched_at)
  )
  update ops.detail_fetch d
  set status = 'done', error = null, worker_id = null, not_before = null,
    outcome = r.outcome, payload_sha256 = r.payload_sha256, fetched_at = r.fetched_at
  from read r, fence
  where d.run_id = fence.run_id and d.product_id = r.product_id
    and d.status = 'planned' and d.lease = r.lease and d.worker_id = $3
  returning d.product_id as "productId"`;

const insertDetails = `
  insert into stage.detail (
    run_id, product_id, detail_hash, description, ingredients, allergens, pack_size, pack_measure,
    pack_count, storage, gtin, leaf_id, catch_weight_grams, charges, deposit_minor, product_type, status, nutrition)
  select $1, d."productId", d."detailHash", d.description, d.ingredients, d.allergens, d."packSize", d."packMeasure",
    d."packCount", d.storage, d.gtin, d."leafId", d."catchWeightGrams", d.charges, d."depositMinor",
    d."productType", d.status,
    d.nutrition
  from jsonb_to_recordset($2::jsonb) as d ("productId" text, "detailHash" uuid, description text, ingredients text,
    allergens text[], "packSize" numeric, "packMeasure" text, "packCount" smallint, storage text,
    gtin text, "leafId" text, "catchWeightGrams" int, charges jsonb, "depositMinor" int,
    "productType" text, status text, nutrition jsonb)
  on conflict (run_id, product_id) do nothing`;
