import { RunRefused } from '../../base/errors.ts';
import { type RegionCode, regionCodes } from '../../base/model/index.ts';
import { lockRegion } from '../../crawl/ledger/lock-region.ts';
import { noteDerivedNights, noteNights } from '../../crawl/ledger/night-changes.ts';
import { adoptReplayed, moveBase } from '../../crawl/ledger/run-life.ts';
import type { Database, Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { renewCategoryAncestors } from '../category-ancestor.ts';
import { applyLedger } from './apply-ledger.ts';
import { readColumns } from './columns.ts';
import { heal } from './healing.ts';
import { keepOldCopy } from './old-copies.ts';
import { keptTables, rowsAt } from './rewind.ts';
import { putRows, removeRows } from './row-changes.ts';
import type { ReplayScope } from './scope.ts';

export interface Application {
  /** Names of the endpoints whose payloads were parsed again. */
  readonly endpoints: readonly string[];
  readonly now: Date;
  readonly forgetFollowing: ForgetFollowing;
}

/** Deletes derived data of nights from a date on. Returns the first night whose data was deleted. */
export type ForgetFollowing = (tx: Transaction, region: RegionCode, from: string) => Promise<string>;

/**
 * Replaces the replayed history by the shadow, in one transaction. Only rows that differ are written. Returns the
 * schema with the old rows; null if the catalogue did not differ. Throws `RunRefused` if the region has new runs, or a
 * user has decided on a run meanwhile.
 */
export async function applyReplay(
  db: Database,
  scope: ReplayScope,
  { endpoints, now, forgetFollowing }: Application,
): Promise<string | null> {
  return db.tx(async (tx) => {
    await tx.query(`set local work_mem = '64MB'`);
    await holdRegions(tx, scope);
    await refuseUnlessLast(tx, scope);
    await refuseUnlessAsRead(tx, scope);
    const columns = await readColumns(tx);
    const tables = keptTables.filter(({ part }) => scope.parts.includes(part));
    const copy = await keepOldCopy(tx, scope, columns);
    const hasListing = scope.parts.includes('listing');
    const changed = firstNights([...scope.runs, ...(hasListing ? await nightsOfRenewedPromotions(tx) : [])]);
    let written = 0;
    for (const { name, key } of [...tables].reverse()) {
      written += await removeRows(tx, `catalog.${name}`, key, rowsAt(name, columns, 'until_at'));
    }
    for (const { name, key } of tables) written += await putRows(tx, `catalog.${name}`, key, columns);
    if (hasListing) await recomputeDependents(tx);
    const runIds = scope.runs.map(({ runId }) => runId);
    const before = await outcomesOf(tx, runIds);
    await applyLedger(tx, scope, columns);
    if (hasListing) await adoptReplayed(tx, runIds);
    const isChanged = written > 0 || before !== (await outcomesOf(tx, runIds));
    await heal(tx, endpoints, now);
    await moveBase(tx, runIds, written > 0);
    if (written === 0) await copy.drop();
    for (const [region, from] of changed) {
      const forgottenFrom = await forgetFollowing(tx, region, from);
      if (isChanged) await noteNights(tx, { region, from, at: now });
      await noteDerivedNights(tx, { region, derived: [], forgottenFrom, at: now });
    }
    return written > 0 ? copy.schema : null;
  });
}

/** Outcomes of runs as one text, to detect a change. */
async function outcomesOf(tx: Transaction, runIds: readonly number[]): Promise<string> {
  const [told] = await rowsOf<{ outcomes: string }>(
    tx,
    `select json_agg(
       json_build_array(r.status, r.verdict, r.products_listed, r.products_available, c.reasons, c.content_hash)
       order by run_id)::text as outcomes
     from ops.run r left join ops.certificate c using (run_id) where run_id = any ($1)`,
    [runIds],
  );
  return told!.outcomes;
}

/** Recomputes data that depends on the replaced rows. */
async function recomputeDependents(tx: Transaction): Promise<void> {
  await renewCategoryAncestors(tx);
  // Even if only category pages were replayed, because product keys may have been reassigned.
  for (const table of ['product_nutrition', 'product_detail']) {
    await tx.query(
      `delete from catalog.${table} x
       where not exists (select from catalog.product p where p.product_key = x.product_key)`,
    );
  }
}

type NightOf = Pick<ReplayScope['runs'][number], 'region' | 'snapshotDate'>;

/** The first changed night of each region: it and later nights are derived and exported again. */
function firstNights(nights: readonly NightOf[]): (readonly [RegionCode, string])[] {
  return regionCodes.flatMap((region) => {
    const [from] = nights.flatMap((night) => (night.region === region ? [night.snapshotDate] : [])).sort();
    return from === undefined ? [] : [[region, from] as const];
  });
}

/**
 * The first nights that carried a promotion whose text now has another meaning: it is stored once for all nights. Must
 * run before the rows are replaced.
 */
async function nightsOfRenewedPromotions(tx: Transaction): Promise<NightOf[]> {
  return rowsOf<NightOf & Record<string, unknown>>(
    tx,
    `select r.region, min(r.snapshot_date) as "snapshotDate"
     from (
       select p.region, min(carried.valid_from) as since
       from catalog.promotion p
       join catalog_replay.promotion s using (promotion_key)
       join catalog.product_promotion carried using (promotion_key)
       where p::text is distinct from s::text
       group by p.region
     ) as renewed
     join ops.published_run r on r.region = renewed.region and r.observed_at >= renewed.since
     group by r.region`,
  );
}

/** Prevents opening, publishing and replaying runs of these regions until the transaction ends. */
async function holdRegions(tx: Transaction, { windows }: ReplayScope): Promise<void> {
  for (const { region } of windows) await lockRegion(tx, region);
}

type LaterRun = Record<'region' | 'snapshot_date' | 'status', string> & { readonly run_id: number };

/**
 * Refuses if a later run exists: a published one was built on the nights to be replaced, and an open one has compared
 * its pages with them.
 */
export async function refuseUnlessLast(sql: Pick<Transaction, 'query'>, { windows, runs }: ReplayScope): Promise<void> {
  const others = await rowsOf<LaterRun>(
    sql,
    `select r.run_id, r.region, r.snapshot_date, r.status
     from ops.run r join unnest($1::text[], $2::timestamptz[]) as w (region, from_at) using (region)
     where r.status not in ('abandoned', 'expired') and r.observed_at >= w.from_at and r.run_id <> all($3)
     order by r.run_id`,
    [windows.map((w) => w.region), windows.map((w) => w.fromAt), runs.map((run) => run.runId)],
  );
  const [other] = others;
  if (other) throw new RunRefused(`${laterInWords(other)}; nothing was changed.`);
}

function laterInWords({ run_id: runId, region, snapshot_date: night, status }: LaterRun): string {
  switch (status) {
    case 'open':
      return `The night of ${region} ${night} is being crawled. Let it finish, then replay up to it`;
    case 'held':
      return (
        `Run ${runId} (${region} ${night}) is held, and its checks compared it with the replayed nights. ` +
        `Replay up to it, or abandon it with \`pricebook crawl --abandon ${runId}\``
      );
    default:
      return (
        `${region} ${night} is later than the replayed nights and depends on them. ` +
        'To apply a replay, replay up to the last night'
      );
  }
}

/**
 * Refuses if a run was released, certified or abandoned while the shadow was built, because the replay would revert it.
 */
async function refuseUnlessAsRead(tx: Transaction, { runs }: ReplayScope): Promise<void> {
  const now = await rowsOf<Pick<ReplayScope['runs'][number], 'runId' | 'verdict'> & { status: string }>(
    tx,
    'select run_id as "runId", status, verdict from ops.run where run_id = any($1) order by run_id for update',
    [runs.map(({ runId }) => runId)],
  );
  const found = new Map(now.map((run) => [run.runId, run]));
  for (const { runId, region, snapshotDate, status, verdict } of runs) {
    const run = found.get(runId);
    if (run?.status === status && run.verdict === verdict) continue;
    const [was, is] = run?.status === status ? [verdict, run.verdict] : [status, run?.status];
    throw new RunRefused(
      `Run ${runId} (${region} ${snapshotDate}) was ${was} when the replay began, and is ${is} now. ` +
        'Replay once more; nothing was changed.',
    );
  }
}
