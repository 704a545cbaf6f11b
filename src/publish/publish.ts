import type { Database, Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { RunRefused } from '../errors.ts';
import { availabilityHistory } from './availability-history.ts';
import { category } from './category.ts';
import { emptyStage } from './empty-stage.ts';
import { priceHistory } from './price-history.ts';
import { product } from './product.ts';
import { productCategory } from './product-category.ts';
import { productDetail } from './product-detail.ts';
import { promotion } from './promotion.ts';
import type { Step } from './step.ts';
import { winner } from './winner.ts';

/** The order matters: winners first, categories before memberships, availability last of the histories. */
const steps: readonly Step[] = [
  winner,
  product,
  priceHistory,
  promotion,
  category,
  productCategory,
  productDetail,
  availabilityHistory,
];

/** The verdict a run is published with, and its evidence. */
export interface Certified {
  readonly verdict: 'complete' | 'complete_within_tolerance' | 'partial';
  /** In words; empty for `complete`. */
  readonly reasons: readonly string[];
  readonly evidence: Readonly<Record<string, unknown>>;
}

export interface Publication {
  readonly runId: number;
  readonly epoch: number;
  readonly certified: Certified;
  /** Certified nights in a row without a product after which it is delisted. */
  readonly delistAfter: number;
  readonly now: Date;
}

export interface Published {
  readonly productsListed: number;
  readonly productsAvailable: number;
  /** False when the run had been published before: nothing was changed. */
  readonly isNew: boolean;
}

/**
 * Merges what an open run staged into the catalogue and its history, in one transaction: afterwards the night is
 * published whole, or nothing happened. One publisher per region at a time; a run published before is left alone.
 */
export async function publish(db: Database, publication: Publication): Promise<Published> {
  const published = await db.tx(async (tx) => {
    const run = await lockRun(tx, publication);
    if (run.status === 'published') return { ...counts(run), isNew: false };
    await openNight(tx, publication);
    for (const step of steps) for (const statement of step.statements) await tx.query(statement);
    await refreshStatistics(tx);
    await storeCertificate(tx, publication);
    const counted = await closeRun(tx, publication);
    await forgetSeenKeys(tx);
    return { ...counted, isNew: true };
  });
  await emptyStage(db);
  return published;
}

interface LockedRun {
  status: string;
  region: string;
  products_listed: number | null;
  products_available: number | null;
}

const counts = (run: LockedRun) => ({
  productsListed: run.products_listed ?? 0,
  productsAvailable: run.products_available ?? 0,
});

async function lockRun(tx: Transaction, { runId, epoch }: Publication): Promise<LockedRun> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtext('pricebook publish ' || region)) from ops.run where run_id = $1`,
    [runId],
  );
  const [run] = await rowsOf<LockedRun & { epoch: number }>(
    tx,
    'select status, region, epoch, products_listed, products_available from ops.run where run_id = $1 for update',
    [runId],
  );
  if (!run) throw new RunRefused(`There is no run ${runId}.`);
  if (run.status !== 'published' && (run.status === 'abandoned' || run.epoch !== epoch)) {
    throw new RunRefused(
      `Run ${runId} is ${run.status === 'abandoned' ? 'abandoned' : 'in other hands'}; nothing was published.`,
    );
  }
  return run;
}

async function openNight(tx: Transaction, { runId, certified, delistAfter }: Publication): Promise<void> {
  // Hash joins over a whole catalogue; the default 4 MB would spill each of them to disk.
  await tx.query(`set local work_mem = '64MB'`);
  await tx.query(
    'create temporary table night (run_id int, region text, snapshot_date date, observed_at timestamptz, is_certified bool, delist_after int) on commit drop',
  );
  await tx.query(
    `insert into night select run_id, region, snapshot_date, observed_at, $2, $3 from ops.run where run_id = $1`,
    [runId, certified.verdict !== 'partial', delistAfter],
  );
}

/** Publishing that changed this share of the products makes the planner's idea of the tables useless. */
const staleShare = 0.1;

/** A first night, or one much like it, leaves tables the planner takes for empty: queries would not end before autovacuum came by. */
async function refreshStatistics(tx: Transaction): Promise<void> {
  const [row] = await rowsOf<{ is_stale: boolean }>(
    tx,
    `select (select count(*) from winner) > $1 * greatest(reltuples, 0) as is_stale from pg_class where oid = 'catalog.product'::regclass`,
    [staleShare],
  );
  if (!row?.is_stale) return;
  await tx.query(
    `analyze catalog.product, catalog.price_history, catalog.availability_history, catalog.promotion, catalog.product_promotion,
       catalog.category, catalog.product_category, catalog.product_detail`,
  );
}

async function storeCertificate(tx: Transaction, { runId, certified, now }: Publication): Promise<void> {
  await tx.query(
    `insert into ops.certificate (run_id, verdict, reasons, evidence, computed_at) values ($1, $2, $3, $4, $5)
     on conflict (run_id) do update set verdict = excluded.verdict, reasons = excluded.reasons, evidence = excluded.evidence, computed_at = excluded.computed_at`,
    [runId, certified.verdict, certified.reasons, JSON.stringify(certified.evidence), now],
  );
}

async function closeRun(tx: Transaction, { runId, certified, now }: Publication): Promise<Omit<Published, 'isNew'>> {
  const [row] = await rowsOf<LockedRun>(
    tx,
    `update ops.run r
     set status = 'published', phase = 'over', verdict = $2, finished_at = $3, paused_for = null, paused_until = null,
         products_listed = l.listed, products_available = l.available,
         requests_spent = (select coalesce(sum(sent), 0) from ops.spend s where s.run_id = r.run_id)
     from (
       select count(*)::int as listed, (count(*) filter (where h.availability = 'available'))::int as available
       from night
       join catalog.product p on p.region = night.region
       join catalog.availability_history h on h.product_key = p.product_key and h.valid_to is null
       where h.availability in ('available', 'unavailable')
     ) as l
     where r.run_id = $1
     returning r.status, r.region, r.products_listed, r.products_available`,
    [runId, certified.verdict, now],
  );
  return counts(row!);
}

/** Evidence of the last few runs is kept; of older ones the catalogue's history has all that counts. */
async function forgetSeenKeys(tx: Transaction): Promise<void> {
  await tx.query(
    `update ops.category_page set seen_keys = null, extra_keys = null
     where seen_keys is not null and run_id in (
       select run_id from ops.run where region = (select region from night) and status = 'published' order by run_id desc offset 3)`,
  );
}
