import type { ProductDetail } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { detailHash } from './entry-hash.ts';

/** Stages product details of a run. */
export async function stageDetails(
  tx: Transaction,
  runId: number,
  found: readonly { readonly productId: string; readonly detail: ProductDetail }[],
): Promise<void> {
  if (found.length === 0) return;
  const rows = found.map(({ productId, detail }) => ({
    ...detail,
    productId,
    leafId: detail.breadcrumb.at(-1) ?? null,
    detailHash: detailHash(detail),
  }));
  await tx.query(insertDetails, [runId, JSON.stringify(rows)]);
}

const insertDetails = `
  insert into stage.detail (
    run_id, product_id, detail_hash, description, ingredients, allergens, pack_size, pack_measure,
    pack_count, storage, gtin, leaf_id, catch_weight_grams, charges, deposit_minor, product_type, status, extra,
    nutrition)
  select $1, d."productId", d."detailHash", d.description, d.ingredients, d.allergens, d."packSize", d."packMeasure",
    d."packCount", d.storage, d.gtin, d."leafId", d."catchWeightGrams", d.charges, d."depositMinor",
    d."productType", d.status,
    d.extra, d.nutrition
  from jsonb_to_recordset($2::jsonb) as d ("productId" text, "detailHash" uuid, description text, ingredients text,
    allergens text[], "packSize" numeric, "packMeasure" text, "packCount" smallint, storage text,
    gtin text, "leafId" text, "catchWeightGrams" int, charges jsonb, "depositMinor" int,
    "productType" text, status text, extra jsonb, nutrition jsonb)
  on conflict (run_id, product_id) do nothing`;
