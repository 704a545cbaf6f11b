import type { Clock } from '../base/clock.ts';
import { BaseMoved, LeaseLost, RunRefused } from '../base/errors.ts';
import type { CertificateVerdict, CheckFinding } from '../base/model/index.ts';
import { noteNights } from '../crawl/ledger/night-changes.ts';
import { type LockedRun, lockForPublication, move } from '../crawl/ledger/run-life.ts';
import { analyzeFirst } from '../db/analyze-changed.ts';
import type { Database, Queryable, Transaction } from '../db/client.ts';
import { renewEmpty } from '../db/renew-empty.ts';
import { rowsOf } from '../db/rows.ts';
import { emptyStage } from './empty-stage.ts';
import { forgetSeenKeys } from './forget-seen-keys.ts';
import { countListed, type ListedCounts, type Night, openNight } from './night.ts';
import { merging, runFiles } from './statements.ts';

/** Verdict and evidence with which a run is published. */
export interface Certified extends Partial<Pick<Night, 'isPartial' | 'uncertain' | 'unconfirmed' | 'outsideTaxonomy'>> {
  readonly verdict: CertificateVerdict;
  /** One sentence per reason; empty for `complete`. */
  readonly reasons: readonly string[];
  readonly evidence: object;
}

interface Publication {
  readonly runId: number;
  readonly epoch: number;
  readonly certified: Certified;
  /** Certified nights in a row without a product after which it is delisted. */
  readonly delistAfter: number;
  /** Runs the checks on the winners (winner.sql) before anything is merged. */
  examine?(tx: Queryable): Promise<readonly CheckFinding[]>;
  /** Reason given by the user who releases the run despite blocking findings. */
  readonly releasedBecause?: string;
  /** Report blocking findings without holding the run. */
  readonly isNeverHeld?: boolean;
  /** Read after the merge, which takes minutes for a large night. */
  readonly clock: Clock;
}

export interface Published extends ListedCounts {
  /** True if a finding blocks the publication; the catalogue is unchanged. */
  readonly isHeld: boolean;
}

/**
 * Merges a staged run into the catalogue and its history, in one transaction. Regions have one publisher at a time; a
 * run that is already published is left alone. If a check blocks it, the run is `held`: its stage is kept and the
 * catalogue is unchanged. Throws `BaseMoved` if the run was staged against another catalogue, and `LeaseLost` if the
 * run is over or was staged again.
 */
export async function publish(db: Database, publication: Publication): Promise<Published> {
  try {
    const { isStale, ...published } = await db.tx((tx) => merge(tx, publication));
    // Not in the transaction: its rows would count as changed once more, and be analyzed again.
    if (isStale) await db.query(analyzeFirst(analyze));
    await emptyStage(db);
    await forgetSeenKeys(db, publication.runId);
    return published;
  } catch (error) {
    if (!(error instanceof HeldBack)) throw error;
    await hold(db, publication, error.findings);
    return { productsListed: 0, productsAvailable: 0, isHeld: true };
  }
}

interface Merged extends Published {
  /** Whether the tables' statistics are of little use. */
  readonly isStale: boolean;
}

async function merge(tx: Transaction, publication: Publication): Promise<Merged> {
  const { runId, epoch, certified, releasedBecause } = publication;
  const run = await lockRun(tx, publication);
  if (run.status === 'published') return { ...countsOf(run), isHeld: false, isStale: false };
  const isCertified = certified.verdict !== 'partial';
  await openNight(tx, { ...publication, isPartial: !isCertified, ...certified, isCertified });
  await renewEmpty(tx, filledAtFirst);
  await runFiles(tx, 'winner');
  const isStale = await makesStatisticsStale(tx);
  // With statistics of nearly empty tables, the planner chooses nested loops that take a thousand times as long.
  if (isStale) await tx.query('set local enable_nestloop = off');
  const findings = (await publication.examine?.(tx)) ?? [];
  const isBlocked = findings.some(({ severity }) => severity === 'block');
  if (isBlocked && releasedBecause === undefined && !publication.isNeverHeld) throw new HeldBack(findings);
  await runFiles(tx, ...merging);
  const now = publication.clock.now();
  await storeCertificate(tx, publication, now);
  await tx.query(
    'update ops.certificate c set content_hash = night.content_hash from night where c.run_id = night.run_id',
  );
  await storeFindings(tx, runId, findings);
  const counted = await countListed(tx);
  const name = run.status === 'held' ? 'release' : 'publish';
  const { verdict } = certified;
  await mustMove(move(tx, name, { runId, epoch }, { verdict, finishedAt: now, ...counted }), runId);
  await keepForRelease(tx, publication);
  await noteNights(tx, { region: run.region, from: run.snapshotDate, at: now });
  return { ...counted, isHeld: false, isStale };
}

/** Tables to which a first night adds a row or more per product or promotion. */
const filledAtFirst = [
  'catalog.product',
  'catalog.product_current',
  'catalog.product_category',
  'catalog.promotion',
  'catalog.product_promotion',
  'catalog.shown_price',
] as const;

/** Thrown to roll the publication back. */
class HeldBack extends Error {
  readonly findings: readonly CheckFinding[];
  constructor(findings: readonly CheckFinding[]) {
    super('a check blocks the publication');
    this.findings = findings;
  }
}

async function hold(db: Database, publication: Publication, findings: readonly CheckFinding[]): Promise<void> {
  const { runId, epoch, clock } = publication;
  const now = clock.now();
  await db.tx(async (tx) => {
    const run = await lockRun(tx, publication);
    if (run.status !== 'open') return;
    await storeCertificate(tx, publication, now);
    await storeFindings(tx, runId, findings);
    await mustMove(move(tx, 'hold', { runId, epoch }, { finishedAt: now }), runId);
  });
}

const countsOf = (run: LockedRun): ListedCounts => ({
  productsListed: run.productsListed ?? 0,
  productsAvailable: run.productsAvailable ?? 0,
});

async function lockRun(tx: Transaction, { runId, epoch }: Publication): Promise<LockedRun> {
  const run = await lockForPublication(tx, runId);
  if (!run) throw new RunRefused(`There is no run ${runId}.`);
  if (run.status === 'published') return run;
  const isReady = run.status === 'held' || (run.status === 'open' && run.phase === 'finishing');
  if (!isReady || run.epoch !== epoch) throw new LeaseLost(`Run ${runId}`);
  if (!run.isOnBase) throw new BaseMoved(runId);
  return run;
}

async function mustMove(moved: Promise<boolean>, runId: number): Promise<void> {
  if (!(await moved)) throw new LeaseLost(`Run ${runId}`);
}

/** Share of new or changed products from which table statistics count as stale. */
const staleShare = 0.1;

/** True on a first night or a similarly large one. */
async function makesStatisticsStale(tx: Transaction): Promise<boolean> {
  const [row] = await rowsOf<{ isStale: boolean }>(
    tx,
    `select (select count(*) from winner) > $1 * greatest(reltuples, 0) as "isStale"
     from pg_class where oid = 'catalog.product'::regclass`,
    [staleShare],
  );
  return row?.isStale ?? false;
}

/** Waiting for autovacuum would leave queries with useless plans. */
const analyze = `
  analyze catalog.product, catalog.product_current, catalog.promotion, catalog.product_promotion, catalog.category,
    catalog.category_ancestor, catalog.product_category, catalog.product_detail, catalog.price_history,
    catalog.availability_history, catalog.offer_history`;

async function storeCertificate(
  tx: Transaction,
  { runId, certified, delistAfter, releasedBecause }: Publication,
  now: Date,
): Promise<void> {
  const evidence = JSON.stringify({ ...certified.evidence, delistAfter });
  await tx.query(
    `insert into ops.certificate (run_id, verdict, reasons, evidence, computed_at, released_because, released_from)
     values ($1, $2, $3, $4, $5, $6, case when $6::text is not null then 'held'::ops.run_status end)
     on conflict (run_id) do update
       set verdict = excluded.verdict, reasons = excluded.reasons, evidence = excluded.evidence,
         computed_at = excluded.computed_at,
           released_because = excluded.released_because, released_from = excluded.released_from`,
    [runId, certified.verdict, certified.reasons, evidence, now, releasedBecause ?? null],
  );
}

async function storeFindings(tx: Transaction, runId: number, findings: readonly CheckFinding[]): Promise<void> {
  await tx.query('delete from ops.finding where run_id = $1', [runId]);
  for (const { name, severity, found, message, samples } of findings) {
    await tx.query(
      'insert into ops.finding (run_id, name, severity, found, message, samples) values ($1, $2, $3, $4, $5, $6)',
      [runId, name, severity, found, message, samples],
    );
  }
}

/** Stores the changed products of a partial run, which its release needs (release-partial.ts). */
async function keepForRelease(tx: Transaction, { runId, certified }: Publication): Promise<void> {
  if (certified.verdict !== 'partial') return;
  await tx.query(
    `update ops.certificate set changed_keys = array(select product_key from winner order by product_key)
     where run_id = $1`,
    [runId],
  );
}
