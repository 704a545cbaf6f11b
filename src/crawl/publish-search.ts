import type { RegionCode, Rejection } from '../base/model/index.ts';
import type { Database, Transaction } from '../db/client.ts';
import { countOf, rowsOf } from '../db/rows.ts';
import type { SearchPage } from '../source/endpoints/index.ts';
import { requestDetails } from './ledger/detail-visits.ts';
import { noteSearch } from './ledger/night-changes.ts';
import { entryHash, promotionHash } from './stage/entry-hash.ts';
import { quarantine } from './stage/quarantine.ts';

interface ReadSearch {
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly page: SearchPage;
  readonly rejected: readonly Rejection[];
  readonly payloadSha256: string;
  readonly receivedAt: Date;
  readonly endpoint: string;
}

/** Counts of the products of a search. */
export interface SearchSaved {
  /** Products shown differently from the catalogue; their own pages are requested the next night. */
  readonly refreshed: number;
  /** Products that no night has listed so far. */
  readonly notListed: number;
}

/**
 * Stores the first page of a search in one transaction, replacing an earlier search of the same night. It neither adds
 * products to the catalogue nor removes any: only nights determine which products are listed, and at what price.
 */
export async function publishSearch(db: Database, read: ReadSearch): Promise<SearchSaved> {
  const { region, snapshotDate, page, rejected, payloadSha256, receivedAt, endpoint } = read;
  const { keyword, products, ranks, popularFilters } = page;
  const night = [region, keyword, snapshotDate];
  const shown = products.map((product) => {
    const promotionHashes = [...new Set(product.promotions.map(promotionHash))].sort();
    return { ...product, entryHash: entryHash(product, promotionHashes) };
  });
  const ids = shown.map(({ productId }) => productId);
  return db.tx(async (tx) => {
    await tx.query(markDone, [
      ...night,
      page.declaredTotal,
      page.itemsReceived,
      rejected.length,
      Buffer.from(payloadSha256, 'hex'),
      receivedAt,
    ]);
    // From here on, a concurrent search for the same keyword waits.
    const before = await ranksOf(tx, night);
    for (const table of ['catalog.search_rank', 'catalog.search_filter'] as const)
      await tx.query(`delete from ${table} where region = $1 and keyword = $2 and snapshot_date = $3`, night);
    await tx.query(insertRanks, [...night, JSON.stringify(ranks), JSON.stringify(shown)]);
    await tx.query(insertFilters, [
      ...night,
      popularFilters.map((f) => f.categoryId),
      popularFilters.map((f) => f.name),
    ]);
    const notListed = await countOf(tx, upsertFound, [region, keyword, receivedAt, JSON.stringify(shown)]);
    const changed = await rowsOf<{ productId: string }>(tx, selectChanged, [
      region,
      ids,
      shown.map((p) => p.entryHash),
    ]);
    const changedIds = changed.map(({ productId }) => productId);
    const refreshed = await requestDetails(tx, region, changedIds, receivedAt);
    const quarantined = rejected.map((rejection) => ({ rejection, payloadSha256, seenAt: receivedAt }));
    await quarantine(tx, { runId: null, region }, endpoint, quarantined);
    if ((await ranksOf(tx, night)) !== before) await noteSearch(tx, { region, keyword, snapshotDate }, receivedAt);
    return { refreshed, notListed };
  });
}

/** The stored ranks of a night's search as one text, to detect a change. */
async function ranksOf(tx: Transaction, night: readonly string[]): Promise<string | null> {
  const [kept] = await rowsOf<{ ranks: string | null }>(
    tx,
    `select string_agg(shown::text, e'\\n' order by rank) as ranks from catalog.search_rank shown
     where region = $1 and keyword = $2 and snapshot_date = $3`,
    night,
  );
  return kept!.ranks;
}

const markDone = `
  insert into ops.keyword_search (
    region, keyword, snapshot_date, status, attempts, declared_total, received, rejected, payload_sha256, searched_at)
  values ($1, $2, $3, 'done', 1, $4, $5, $6, $7, $8)
  on conflict (region, keyword, snapshot_date) do update
    set status = 'done', error = null, declared_total = excluded.declared_total, received = excluded.received,
      rejected = excluded.rejected, payload_sha256 = excluded.payload_sha256, searched_at = excluded.searched_at`;

const insertRanks = `
  insert into catalog.search_rank (
    region, keyword, snapshot_date, rank, product_id, title, brand, sponsored, is_for_sale, price_minor)
  select $1, $2, $3, r.rank, r."productId", coalesce(p.title, p."productId"), p.brand, r.sponsored,
    coalesce(p."isForSale", false), p."priceMinor"
  from jsonb_to_recordset($4::jsonb) as r (rank smallint, "productId" text, sponsored boolean)
  join jsonb_to_recordset($5::jsonb)
    as p ("productId" text, title text, brand text, "isForSale" boolean, "priceMinor" int)
    on p."productId" = r."productId"
  order by r.rank`;

const insertFilters = `
  insert into catalog.search_filter (region, keyword, snapshot_date, position, category_id, name)
  select $1, $2, $3, f.ordinality, f.category_id, f.name
  from unnest($4::text[], $5::text[]) with ordinality as f (category_id, name, ordinality)`;

const upsertFound = `
  insert into catalog.found_product (
    region, product_id, keyword, title, brand, tpnb, gtin, image_url, is_for_sale, price_minor,
    first_found_at, last_found_at)
  select $1, p."productId", $2, coalesce(p.title, p."productId"), p.brand, p.tpnb, p.gtin, p."imageUrl",
    coalesce(p."isForSale", false), p."priceMinor", $3, $3
  from jsonb_to_recordset($4::jsonb) as p (
    "productId" text, title text, brand text, tpnb text, gtin text, "imageUrl" text,
    "isForSale" boolean, "priceMinor" int)
  where not exists (select from catalog.product known where known.region = $1 and known.product_id = p."productId")
  order by p."productId"
  on conflict (region, product_id) do update
    set title = excluded.title, brand = excluded.brand, tpnb = excluded.tpnb, gtin = excluded.gtin,
      image_url = excluded.image_url,
      is_for_sale = excluded.is_for_sale, price_minor = excluded.price_minor, last_found_at = excluded.last_found_at`;

const selectChanged = `
  select p.product_id as "productId"
  from unnest($2::text[], $3::uuid[]) as shown (product_id, entry_hash)
  join catalog.product p on p.region = $1 and p.product_id = shown.product_id and p.replaced_at is null
  where p.entry_hash is distinct from shown.entry_hash
  order by 1`;
