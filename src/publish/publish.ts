import type { Clock } from '../clock.ts';
import type { Askable, Database, Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { RunRefused } from '../errors.ts';
import type { CategoryOutsideTaxonomy } from '../normalise/category-outside-taxonomy.ts';
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

/** The order matters: after the winners, categories before memberships, availability last of the histories. */
const steps: readonly Step[] = [
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
  readonly evidence: object;
  /** Ids of categories that fell short: of what is theirs nothing is said to be gone. */
  readonly uncertain?: readonly string[];
  /** Categories that breadcrumbs name beside the taxonomy, parents first. */
  readonly outsideTaxonomy?: readonly CategoryOutsideTaxonomy[];
}

/** What a quality check found in a run. */
export interface Finding {
  /** Of the check. */
  readonly name: string;
  /** `block`: the run is held until a person decides. */
  readonly severity: 'warn' | 'block';
  /** Products, promotions or categories concerned. */
  readonly found: number;
  /** One sentence with the figures. */
  readonly message: string;
  /** A few of them, by id. */
  readonly samples: readonly string[];
}

export interface Publication {
  readonly runId: number;
  readonly epoch: number;
  readonly certified: Certified;
  /** Certified nights in a row without a product after which it is delisted. */
  readonly delistAfter: number;
  /** Delist only what its own page says is gone. */
  readonly isDelistingConfirmed?: boolean;
  /** Looks at the winners (winner.ts) before anything is merged. */
  examine?(tx: Askable): Promise<readonly Finding[]>;
  /** A person has seen what blocks it. */
  readonly isReleased?: boolean;
  /** Asked when all is merged, not before: for a large night that takes minutes. */
  readonly clock: Clock;
}

export interface Published {
  readonly productsListed: number;
  readonly productsAvailable: number;
  /** False when the run had been published before: nothing was changed. */
  readonly isNew: boolean;
  /** True when a finding keeps it from publication: the catalogue is as it was. */
  readonly isHeld: boolean;
}

/**
 * Merges what an open run staged into the catalogue and its history, in one transaction: afterwards the night is
 * published whole, or nothing happened. One publisher per region at a time; a run published before is left alone. When a
 * check blocks it, it is `held`: what it staged stays, and the catalogue as it was.
 */
export async function publish(db: Database, publication: Publication): Promise<Published> {
  try {
    const published = await db.tx((tx) => merge(tx, publication));
    await emptyStage(db);
    return published;
  } catch (error) {
    if (!(error instanceof HeldBack)) throw error;
    await hold(db, publication, error.findings);
    return { productsListed: 0, productsAvailable: 0, isNew: false, isHeld: true };
  }
}

async function merge(tx: Transaction, publication: Publication): Promise<Published> {
  const run = await lockRun(tx, publication);
  if (run.status === 'published') return { ...counts(run), isNew: false, isHeld: false };
  await openNight(tx, publication);
  for (const statement of winner.statements) await tx.query(statement);
  const findings = (await publication.examine?.(tx)) ?? [];
  if (findings.some(({ severity }) => severity === 'block') && !publication.isReleased) throw new HeldBack(findings);
  for (const step of steps) for (const statement of step.statements) await tx.query(statement);
  await refreshStatistics(tx);
  const now = publication.clock.now();
  await storeCertificate(tx, publication, now);
  await storeFindings(tx, publication.runId, findings);
  const counted = await closeRun(tx, publication, now);
  await keepForRelease(tx, publication);
  await forgetSeenKeys(tx);
  return { ...counted, isNew: true, isHeld: false };
}

/** Rolls the publication back. */
class HeldBack extends Error {
  readonly findings: readonly Finding[];
  constructor(findings: readonly Finding[]) {
    super('a check blocks the publication');
    this.findings = findings;
  }
}

async function hold(db: Database, publication: Publication, findings: readonly Finding[]): Promise<void> {
  const { runId } = publication;
  const now = publication.clock.now();
  await db.tx(async (tx) => {
    const run = await lockRun(tx, publication);
    if (run.status === 'published') return;
    await storeCertificate(tx, publication, now);
    await storeFindings(tx, runId, findings);
    await tx.query(
      `update ops.run r
       set status = 'held', phase = 'over', finished_at = $2, paused_for = null, paused_until = null,
           requests_spent = (select coalesce(sum(sent), 0) from ops.spend s where s.run_id = r.run_id)
       where run_id = $1`,
      [runId, now],
    );
  });
}

interface LockedRun {
  status: string;
  region: string;
  products_listed: number | null;
  products_available: number | null;
}

type Counts = Pick<Published, 'productsListed' | 'productsAvailable'>;

const counts = (run: LockedRun): Counts => ({
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

async function openNight(tx: Transaction, publication: Publication): Promise<void> {
  const { runId, certified, delistAfter, isDelistingConfirmed = false } = publication;
  // Hash joins over a whole catalogue; the default 4 MB would spill each of them to disk.
  await tx.query(`set local work_mem = '64MB'`);
  await tx.query(
    'create temporary table night (run_id int, region text, snapshot_date date, observed_at timestamptz, is_certified bool, delist_after int, is_delisting_confirmed bool) on commit drop',
  );
  await tx.query(
    `insert into night select run_id, region, snapshot_date, observed_at, $2, $3, $4 from ops.run where run_id = $1`,
    [runId, certified.verdict !== 'partial', delistAfter, isDelistingConfirmed],
  );
  await tx.query('create temporary table doubted (category_id text) on commit drop');
  await tx.query('insert into doubted select unnest($1::text[])', [certified.uncertain ?? []]);
  await tx.query(
    'create temporary table outside_taxonomy (category_id text, parent_id text, name text, depth smallint, path text) on commit drop',
  );
  const outsideTaxonomy = certified.outsideTaxonomy ?? [];
  await tx.query(
    'insert into outside_taxonomy select * from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[])',
    [
      outsideTaxonomy.map(({ categoryId }) => categoryId),
      outsideTaxonomy.map(({ parentId }) => parentId),
      outsideTaxonomy.map(({ name }) => name),
      outsideTaxonomy.map(({ depth }) => depth),
      outsideTaxonomy.map(({ path }) => path),
    ],
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

async function storeCertificate(
  tx: Transaction,
  { runId, certified, delistAfter }: Publication,
  now: Date,
): Promise<void> {
  const evidence = JSON.stringify({ ...certified.evidence, delistAfter });
  await tx.query(
    `insert into ops.certificate (run_id, verdict, reasons, evidence, computed_at) values ($1, $2, $3, $4, $5)
     on conflict (run_id) do update set verdict = excluded.verdict, reasons = excluded.reasons, evidence = excluded.evidence, computed_at = excluded.computed_at`,
    [runId, certified.verdict, certified.reasons, evidence, now],
  );
}

async function storeFindings(tx: Transaction, runId: number, findings: readonly Finding[]): Promise<void> {
  await tx.query('delete from ops.finding where run_id = $1', [runId]);
  for (const { name, severity, found, message, samples } of findings) {
    await tx.query(
      'insert into ops.finding (run_id, name, severity, found, message, samples) values ($1, $2, $3, $4, $5, $6)',
      [runId, name, severity, found, message, samples],
    );
  }
}

/** Of a partial run: what it saw beside the keys on its pages, in case a person vouches for it (release.ts). */
async function keepForRelease(tx: Transaction, { runId, certified }: Publication): Promise<void> {
  if (certified.verdict !== 'partial') return;
  await tx.query(
    'update ops.certificate set changed_keys = array(select product_key from winner order by product_key) where run_id = $1',
    [runId],
  );
}

async function closeRun(tx: Transaction, { runId, certified }: Publication, now: Date): Promise<Counts> {
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
  await tx.query(
    `update ops.certificate set changed_keys = null
     where changed_keys is not null and run_id in (
       select run_id from ops.run where region = (select region from night) and status = 'published' order by run_id desc offset 3)`,
  );
}
