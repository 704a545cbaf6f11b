import { eq } from 'drizzle-orm';
import type { Clock } from '../base/clock.ts';
import { ClaimLost, RunRefused } from '../base/errors.ts';
import type { CertificateVerdict } from '../base/model/index.ts';
import type { Run } from '../crawl/run/runs.ts';
import { type LockedRun, lockForPublication, move } from '../crawl/run/transitions.ts';
import type { Database, Transaction } from '../db/client.ts';
import { renewEmpty } from '../db/renew-empty.ts';
import { camelRows } from '../db/rows.ts';
import { certificate, finding } from '../db/tables/index.ts';
import { assess } from './assess.ts';
import type { Bounds, Judgement } from './certificate.ts';
import { fillNight, sqlFile } from './night.ts';
import { noteNights } from './night-changes.ts';

export interface PublishNeeds {
  readonly db: Database;
  /** Read after the merge, which takes minutes for a large night. */
  readonly clock: Clock;
  readonly settings: {
    readonly certify: Bounds;
    /** Number of consecutive certified nights without a product after which it is delisted. */
    readonly delistAfter: number;
  };
}

type Publishing = Pick<Run, 'runId' | 'region' | 'runToken'>;

interface Override {
  /** Reason given by a user: the run is certified whatever is missing, and published whatever the checks find. */
  readonly releasedBecause?: string | undefined;
  /**
   * What a replayed run was before: it is published again whatever the checks find, or held. The replay tells readers
   * at its end what has changed.
   */
  readonly replayed?: 'published' | 'held';
}

export interface PublishedNight {
  readonly verdict: CertificateVerdict;
  /** A finding blocks the publication; the catalogue is unchanged. */
  readonly isHeld: boolean;
  readonly productsListed: number;
  readonly productsAvailable: number;
}

/** Gathers the evidence of a fully read run, and publishes it. Live, replayed and released runs end here. */
export async function certifyAndPublish(
  needs: PublishNeeds,
  run: Publishing,
  override: Override = {},
): Promise<PublishedNight> {
  const { judgement } = await needs.db.tx((tx) => assess(tx, run.runId, needs.settings.certify));
  return publishNight(needs, run, judgement, override);
}

/**
 * Merges a run, whose evidence is stored, into the catalogue and its history, in one transaction. Regions have one
 * publisher at a time; a run that is already published is left alone. If a check blocks it, the run is `held`: its
 * stage is kept and the catalogue is unchanged. Throws `RunRefused` if the run was staged against another catalogue,
 * and `ClaimLost` if the run is over or was staged again. The caller tidies up (tidy-up.ts).
 */
export async function publishNight(
  { db, clock, settings }: PublishNeeds,
  run: Publishing,
  { verdict: judged, reasons }: Pick<Judgement, 'verdict' | 'reasons'>,
  { releasedBecause, replayed }: Override = {},
): Promise<PublishedNight> {
  const { runId, region } = run;
  const { delistAfter } = settings;
  // A release certifies whatever is missing; but a user cannot vouch for pages that were not requested.
  const isReleased = releasedBecause !== undefined && !reasons.some(({ code }) => code === 'pages_unrequested');
  const verdict = isReleased ? 'complete_within_tolerance' : judged;
  return db.tx(async (tx) => {
    const locked = await lockUnpublished(tx, run);
    if (locked.status === 'published') {
      const { productsListed, productsAvailable } = locked;
      return { verdict, productsListed: productsListed ?? 0, productsAvailable: productsAvailable ?? 0, isHeld: false };
    }
    if (!replayed) await renewEmpty(tx, filledAtFirst);
    await tx.query('savepoint before_night');
    await fillNight(tx, { runId, isCertified: verdict !== 'partial', delistAfter });
    // What changed is reported at the commit, so that the tables are analyzed.
    await tx.query(`${sqlFile('publish')} select pg_stat_force_next_flush()`);
    const findings = await camelRows<Finding>(tx, sqlFile('checks'));
    const isBlocked = findings.some(({ severity }) => severity === 'block');
    const isHeld = isBlocked && releasedBecause === undefined && replayed !== 'published';
    const [sealed] = await camelRows<Sealed>(tx, readSealed);
    await tx.query(`${isHeld ? 'rollback to savepoint before_night;' : ''} release savepoint before_night`);
    const finishedAt = clock.now();
    const { contentHash, changed, ...counts } = isHeld ? nothing : sealed!;
    const judgement = {
      ...{ verdict, reasons, delistAfter, changed, contentHash, computedAt: finishedAt },
      releasedBecause: releasedBecause ?? null,
      releasedFrom: releasedBecause === undefined ? null : ('held' as const),
    };
    await tx.orm
      .insert(certificate)
      .values({ runId, ...judgement })
      .onConflictDoUpdate({ target: certificate.runId, set: judgement });
    await tx.orm.delete(finding).where(eq(finding.runId, runId));
    if (findings.length > 0) await tx.orm.insert(finding).values(findings.map((found) => ({ runId, ...found })));
    const transition = isHeld ? 'hold' : locked.status === 'held' ? 'release' : 'publish';
    const ending = isHeld ? { finishedAt } : { verdict, finishedAt, ...counts };
    if (!(await move(tx, transition, run, ending))) throw new ClaimLost(`Run ${runId}`);
    if (!isHeld && !replayed) await noteNights(tx, { region, from: locked.snapshotDate, at: clock.now() });
    return { verdict, ...counts, isHeld };
  });
}

type Finding = Omit<typeof finding.$inferSelect, 'runId'>;

type Sealed = Record<'productsListed' | 'productsAvailable' | 'changed', number> & { readonly contentHash: string };

/** Of a held run. */
const nothing = { contentHash: null, changed: null, productsListed: 0, productsAvailable: 0 };

const readSealed = `
  select content_hash::text as content_hash, changed, products_listed, products_available
  from night`;

/** Tables to which a first night adds a row or more per product or promotion. */
const filledAtFirst = [
  'catalog.product',
  'catalog.product_current',
  'catalog.promotion',
  'catalog.product_promotion',
  'catalog.extra_listing',
  'catalog.shown_price',
] as const;

/** Locks publication in the run's region. Throws if the run is not ready to be published. */
async function lockUnpublished(tx: Transaction, { runId, runToken }: Publishing): Promise<LockedRun> {
  const run = await lockForPublication(tx, runId);
  if (!run) throw new RunRefused(`There is no run ${runId}.`);
  if (run.status === 'published') return run;
  const isReady = run.status === 'held' || (run.status === 'open' && run.phase === 'finishing');
  if (!isReady || run.runToken !== runToken) throw new ClaimLost(`Run ${runId}`);
  if (!run.isOnBase)
    throw new RunRefused(
      `The catalogue has changed since run ${runId} was compared with it; nothing was published. ` +
        `Abandon it with \`pricebook crawl --abandon ${runId}\` and crawl the night again.`,
    );
  return run;
}
