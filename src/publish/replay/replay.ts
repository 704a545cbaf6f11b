import { and, asc, eq, gte, inArray, type SQL, sql } from 'drizzle-orm';
import type { Clock } from '../../base/clock.ts';
import { RunRefused } from '../../base/errors.ts';
import type { RegionCode } from '../../base/model/index.ts';
import { lockRegion } from '../../crawl/run/lock-region.ts';
import { lockForPublication, move } from '../../crawl/run/transitions.ts';
import { type Queryable, type Transaction, within } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { categoryPage, certificate, run } from '../../db/tables/index.ts';
import { sqlFile } from '../night.ts';
import { noteDerivedNights, noteNights } from '../night-changes.ts';
import { certifyAndPublish, type PublishNeeds } from '../publish-night.ts';
import { type Release, releasePartial } from '../release.ts';
import { nightsWithKeys } from '../tidy-up.ts';
import { type ArchivedBook, restageNight } from './restage-night.ts';

export interface ReplayNeeds extends ArchivedBook {
  readonly clock: Clock;
  readonly settings: PublishNeeds['settings'];
  /** Deletes derived data of nights from a date on. Returns the first night whose data was deleted. */
  forgetFollowing(tx: Transaction, region: RegionCode, from: string): Promise<string>;
}

export interface ReplayRequest {
  /** Nights to replay, both dates inclusive. */
  readonly from: string;
  readonly to: string;
  readonly regions: readonly RegionCode[];
  /** A held or partial run that the user releases with the replay. */
  readonly release?: Release | undefined;
  /** Replace the history by the result. */
  readonly apply: boolean;
  readonly signal: AbortSignal;
  /** Called after each replayed night; the replay waits for it. */
  onNight?(night: ReplayedNight): void | Promise<void>;
}

/** Figures of a run before and after the replay. */
export interface ReplayedNight {
  readonly runId: number;
  readonly region: RegionCode;
  readonly snapshotDate: string;
  readonly live: Figures;
  readonly replayed: Figures;
}

/** Differences in one field. */
export interface Difference {
  readonly region: RegionCode;
  /** `price`, `availability`, `offer`, `product`, `shown_price`, `promotion`, `category`, `detail`, `meaning`. */
  readonly kind: string;
  readonly field: string;
  /** Spells of the history with another value. */
  readonly count: number;
  readonly products: number;
  readonly samples: readonly Readonly<Record<'productId' | 'snapshotDate' | 'live' | 'replayed', string | null>>[];
}

export interface ReplayReport {
  readonly nights: readonly ReplayedNight[];
  readonly differences: readonly Difference[];
  /** Something differs and was replaced. */
  readonly isApplied: boolean;
}

/**
 * Publishes the nights of a window once more from the archive, in one transaction for each region, on the live tables:
 * takes the region back to before them, stages and publishes each with the ordinary code, compares, and commits with
 * `apply` or rolls back. Readers see the former nights until the commit; runs of the region wait to be opened or
 * published. Sends no requests. The caller runs the followers. Throws `RunRefused` if the replay is not possible.
 */
export async function replay(needs: ReplayNeeds, request: ReplayRequest): Promise<ReplayReport> {
  const { regions, from, to, release } = request;
  const nights: Night[] = [];
  for (const region of regions) nights.push(...(await readNights(needs.db, request, region)));
  if (nights.length === 0)
    throw new RunRefused(
      `No night of ${regions.join(' or ')} from ${from} to ${to} was crawled to its end, so there is nothing to ` +
        'replay. `pricebook runs` lists all runs.',
    );
  const released = nights.find(({ runId }) => runId === release?.runId)?.figures;
  if (release && released?.status !== 'held' && released?.certificate !== 'partial')
    throw new RunRefused(
      `Run ${release.runId} is not a held or partial run among the replayed nights, so there is nothing to release. ` +
        '`pricebook runs` lists all runs; replay from its night on.',
    );
  const reports: ReplayReport[] = [];
  for (const region of new Set(nights.map((night) => night.region)))
    reports.push(await needs.db.tx((tx) => replayIn(tx, needs, request, region), once));
  return {
    nights: reports.flatMap((report) => report.nights),
    differences: reports.flatMap(({ differences }) => differences),
    isApplied: reports.some(({ isApplied }) => isApplied),
  };
}

/** Longest pause between two statements, while payloads are read. A second try would take as long as the first. */
const once = { attempts: 1, idleTimeoutMs: 15 * 60_000 };

async function replayIn(
  tx: Transaction,
  needs: ReplayNeeds,
  { release, onNight, signal, ...request }: ReplayRequest,
  region: RegionCode,
): Promise<ReplayReport> {
  await lockRegion(tx, region);
  await tx.query('savepoint before_replay');
  const nights = await readNights(tx, request, region);
  await rewind(tx, region, nights);
  const replayed: ReplayedNight[] = [];
  for (const night of nights) {
    signal.throwIfAborted();
    const { runId, snapshotDate, figures } = night;
    const released = runId === release?.runId ? { releasedFrom: figures.status, why: release.why } : {};
    await publishAgain(tx, needs, { ...night, ...released }, { isFirst: night === nights[0], signal });
    const [again] = await readRuns(tx, eq(run.runId, runId));
    replayed.push({ runId, region, snapshotDate, live: figures, replayed: again!.figures });
    await onNight?.(replayed.at(-1)!);
  }
  await tx.query(sqlFile('replay/facts'));
  await tx.query(`analyze fact; ${sqlFile('replay/compare')}`);
  const differences = await rowsOf<Difference & Record<string, unknown>>(tx, selectDifferences, [region]);
  const changedFrom = await firstChanged(tx, region, replayed);
  // A held night is released as it was read last.
  const isHeld = replayed.some((night) => night.replayed.status === 'held');
  const isApplied = request.apply && (changedFrom !== null || isHeld);
  if (isApplied) await settle(tx, needs, region, nights, changedFrom);
  else await tx.query('rollback to savepoint before_replay');
  return { nights: replayed, differences, isApplied };
}

/** Runs with what is published of them, in order. */
async function readRuns({ orm }: Pick<Transaction, 'orm'>, isWanted: SQL | undefined) {
  return orm
    .select({
      runId: run.runId,
      region: sql<RegionCode>`${run.region}`,
      snapshotDate: run.snapshotDate,
      observedAt: run.observedAt,
      finishedAt: run.finishedAt,
      releasedFrom: certificate.releasedFrom,
      why: certificate.releasedBecause,
      figures: {
        status: run.status,
        certificate: run.verdict,
        productsListed: run.productsListed,
        productsAvailable: run.productsAvailable,
        contentHash: certificate.contentHash,
        /** Elements that could not be read. */
        rejected: sql<number>`(
          select count(distinct (q.endpoint, q.path, q.payload_sha256))::int
          from ops.quarantine q where q.run_id = ${run.runId})`,
      },
    })
    .from(run)
    .leftJoin(certificate, eq(certificate.runId, run.runId))
    .where(isWanted)
    .orderBy(asc(run.observedAt), asc(run.runId));
}

type Night = Awaited<ReturnType<typeof readRuns>>[number];

export type Figures = Night['figures'];

/** Runs of the window, in order. Refuses while a night is crawled, and to apply a window that other runs follow. */
async function readNights(
  tx: Pick<Transaction, 'orm'>,
  { from, to, apply }: Pick<ReplayRequest, 'from' | 'to' | 'apply'>,
  region: RegionCode,
): Promise<Night[]> {
  const isIn = inArray(run.status, ['published', 'held', 'open']);
  const runs = await readRuns(tx, and(eq(run.region, region), gte(run.snapshotDate, from), isIn));
  const nights = runs.filter(({ snapshotDate, figures }) => snapshotDate <= to && figures.status !== 'open');
  const later = runs.filter((each) => !nights.includes(each));
  const other = later.find(({ figures }) => figures.status === 'open') ?? (apply ? later[0] : undefined);
  if (nights.length === 0 || !other) return nights;
  const { runId, snapshotDate } = other;
  const { status } = other.figures;
  const decide = status === 'held' ? `, abandon it with \`pricebook crawl --abandon ${runId}\`,` : '';
  throw new RunRefused(
    `Run ${runId} (${region} ${snapshotDate}) is ${status} and depends on the replayed nights. ` +
      `Let it finish${decide} or replay up to it; nothing was changed.`,
  );
}

async function rewind(tx: Transaction, region: RegionCode, nights: readonly Night[]): Promise<void> {
  await tx.query(`
    set local work_mem = '64MB';
    create temporary table rewound (region text, from_at timestamptz, until_at timestamptz) on commit drop`);
  const [from, until] = [nights[0]!.observedAt, nights.at(-1)!.observedAt];
  await tx.query('insert into rewound values ($1, $2, $3)', [region, from, until]);
  // Of the publication, for the keys of products that are found again.
  await tx.query(sqlFile('publish-tables'));
  await tx.query(sqlFile('replay/facts'));
  await tx.query(`alter table fact rename to before; analyze before; ${sqlFile('replay/rewind')}`);
  // Later ones as well: none of the rewound region's future is published when a night is compared with its base.
  const isOver = inArray(run.status, ['published', 'held']);
  const later = await readRuns(tx, and(eq(run.region, region), gte(run.observedAt, from), isOver));
  for (const each of later) await move(tx, 'rewind', each);
}

/** Stages a night from the archive and publishes it, as it was published before: with its releases and at its time. */
async function publishAgain(
  tx: Transaction,
  needs: ReplayNeeds,
  night: Night,
  { isFirst, signal }: { readonly isFirst: boolean; readonly signal: AbortSignal },
): Promise<void> {
  const { clock, settings } = needs;
  const { runId, region, finishedAt, releasedFrom, why } = night;
  const db = within(needs.db, tx);
  await move(tx, 'reopen', { runId });
  const { runToken } = (await lockForPublication(tx, runId))!;
  await restageNight({ ...needs, db }, { ...night, runToken }, signal, isFirst);
  const published = await certifyAndPublish(
    { db, settings, clock: { now: () => finishedAt ?? clock.now() } },
    { runId, region, runToken },
    {
      replayed: night.figures.status === 'published' ? 'published' : 'held',
      releasedBecause: releasedFrom === 'held' ? (why ?? undefined) : undefined,
    },
  );
  if (releasedFrom === 'published' && published.verdict === 'partial') await releasePartial(tx, { runId, why: why! });
}

const selectDifferences = `
  with placed as (
    select d.*, p.product_id, r.snapshot_date::text as night,
      row_number() over (partition by d.kind, d.field order by p.product_id, since) as place
    from difference d
    left join catalog.product p using (product_key)
    left join ops.run r on r.region = $1 and r.observed_at = since
  )
  select $1 as region, kind, field, count(*)::int as count, count(distinct product_key)::int as products,
    jsonb_agg(jsonb_build_object('productId', product_id, 'snapshotDate', night, 'live', live, 'replayed', replayed)
      order by place) filter (where place <= 3) as samples
  from placed
  group by kind, field
  order by kind, field`;

/** The first night that differs. A changed meaning of a promotion counts from the first night that carried it. */
async function firstChanged(tx: Queryable, region: string, nights: readonly ReplayedNight[]): Promise<string | null> {
  const [row] = await rowsOf<{ night: string | null }>(
    tx,
    `select min(r.snapshot_date)::text as night
     from (
       select min(since) as at from difference where kind <> 'meaning'
       union all
       select min(carried.valid_from)
       from difference d join catalog.product_promotion carried on carried.promotion_key = d.other
       where d.kind = 'meaning'
     ) as changed
     join ops.published_run r on r.region = $1 and r.observed_at >= changed.at`,
    [region],
  );
  const changed = nights.filter(({ live, replayed }) => JSON.stringify(live) !== JSON.stringify(replayed));
  const dates = [row!.night, ...changed.map(({ snapshotDate }) => snapshotDate)];
  return dates.filter((date) => date !== null).sort()[0] ?? null;
}

/** What follows: pages of older nights lose their keys, and followers begin with the first changed night. */
async function settle(
  tx: Transaction,
  { clock, forgetFollowing }: ReplayNeeds,
  region: RegionCode,
  nights: readonly Night[],
  from: string | null,
): Promise<void> {
  const older = nights.slice(0, -nightsWithKeys).map(({ runId }) => runId);
  await tx.orm.update(categoryPage).set({ seenKeys: null, extraKeys: null }).where(inArray(categoryPage.runId, older));
  if (from === null) return;
  const forgottenFrom = await forgetFollowing(tx, region, from);
  await noteNights(tx, { region, from, at: clock.now() });
  await noteDerivedNights(tx, { region, derived: [], forgottenFrom, at: clock.now() });
}
