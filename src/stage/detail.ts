import type { Database } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { LeaseLost } from '../errors.ts';
import { createGroupCommit } from '../group-commit.ts';
import type { ProductDetail, Rejection } from '../model/index.ts';
import type { StagedRun } from './category-page.ts';
import { detailHash } from './listing-hash.ts';
import { quarantine } from './quarantine.ts';

export interface ReadDetail {
  readonly run: StagedRun;
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

const detailsPerTransaction = 100;

/** Keeps what a product's own page said beside its ledger row and marks it done; `LeaseLost` when it is somebody else's now. */
export function createDetailStage(db: Database): (read: ReadDetail) => Promise<void> {
  return createGroupCommit<ReadDetail>({
    limit: detailsPerTransaction,
    groupOf: ({ run, workerId }) => `${run.runId}/${run.epoch}/${workerId}`,
    flush: async (reads) => {
      const done = await stageDetails(db, reads);
      return reads.map((read) =>
        done.has(read.productId) ? null : new LeaseLost(`Product ${read.productId} in run ${read.run.runId}`),
      );
    },
  });
}

async function stageDetails(db: Database, reads: readonly ReadDetail[]): Promise<Set<string>> {
  const { run, workerId, endpoint } = reads[0]!;
  return db.tx(async (tx) => {
    const rows = await rowsOf<{ product_id: string }>(tx, markDetailsDone, [
      run.runId,
      run.epoch,
      workerId,
      reads.map((r) => r.productId),
      reads.map((r) => r.lease),
      reads.map((r) => (r.detail ? 'found' : 'not_there')),
      reads.map((r) => (r.payloadSha256 === null ? null : Buffer.from(r.payloadSha256, 'hex'))),
      reads.map((r) => r.receivedAt),
    ]);
    const done = new Set(rows.map((row) => row.product_id));
    const found = reads.flatMap((read) =>
      read.detail && done.has(read.productId)
        ? [{ ...read.detail, productId: read.productId, detailHash: detailHash(read.detail) }]
        : [],
    );
    if (found.length > 0) await tx.query(insertDetails, [run.runId, JSON.stringify(found)]);
    await quarantine(
      tx,
      run,
      endpoint,
      reads.flatMap(({ productId, rejected, payloadSha256, receivedAt }) =>
        done.has(productId) ? rejected.map((rejection) => ({ rejection, payloadSha256, seenAt: receivedAt })) : [],
      ),
    );
    return done;
  });
}

const markDetailsDone = `
  with fence as materialized (
    select run_id from ops.run where run_id = $1 and epoch = $2 and status = 'open' for share
  ), read as (
    select * from unnest($4::text[], $5::int[], $6::text[], $7::bytea[], $8::timestamptz[])
      as r (product_id, lease, outcome, payload_sha256, fetched_at)
  )
  update ops.detail_fetch d
  set status = 'done', error = null, worker_id = null, outcome = r.outcome, payload_sha256 = r.payload_sha256, fetched_at = r.fetched_at
  from read r, fence
  where d.run_id = fence.run_id and d.product_id = r.product_id and d.status = 'planned' and d.lease = r.lease and d.worker_id = $3
  returning d.product_id`;

const insertDetails = `
  insert into stage.detail (run_id, product_id, detail_hash, description, ingredients, allergens, pack_size, pack_measure,
    pack_count, storage, product_type, status, nutrition)
  select $1, d."productId", d."detailHash", d.description, d.ingredients, d.allergens, d."packSize", d."packMeasure",
    d."packCount", d.storage, d."productType", d.status, d.nutrition
  from jsonb_to_recordset($2::jsonb) as d ("productId" text, "detailHash" uuid, description text, ingredients text,
    allergens text[], "packSize" numeric, "packMeasure" text, "packCount" smallint, storage text, "productType" text,
    status text, nutrition jsonb)
  on conflict (run_id, product_id) do nothing`;
