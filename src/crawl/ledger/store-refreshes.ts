import { LeaseLost } from '../../base/errors.ts';
import type { ClockKind } from '../../base/model/index.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { Area } from '../plan/area.ts';
import type { AskedCircle } from '../plan/doubted-circles.ts';
import { type Circle, circleAround } from '../plan/store-cover.ts';
import { isUnleased } from './workers.ts';

/** One crawl of the areas in STORE_AREAS with the store locator, from the first request to publication. */
export interface StoreRefresh {
  readonly refreshId: number;
  readonly areas: string;
  readonly observedAt: Date;
  readonly status: 'open' | 'published' | 'abandoned';
  readonly upstream: string;
  readonly clock: ClockKind;
  readonly startedAt: Date;
  readonly verdict: 'complete' | 'partial' | null;
  readonly reasons: readonly string[];
  readonly circles: number | null;
  readonly storesSeen: number | null;
  readonly storesNew: number | null;
  readonly storesChanged: number | null;
  readonly storesGone: number | null;
  readonly pausedFor: string | null;
  readonly pausedUntil: Date | null;
}

/** A circle of a refresh with its answer, as stored. */
export interface SearchedCircle extends Pick<AskedCircle, 'circleNo' | 'parentNo' | 'splitFor' | 'received' | 'cell'> {
  readonly state: 'planned' | 'done' | 'failed';
  /** Elements that could not be parsed. */
  readonly rejected: number;
  readonly storeIds: readonly string[];
  readonly distancePerMile: number | null;
}

/** A refresh as taken by a worker: only it may write, until another one takes the refresh. */
export interface TakenRefresh {
  readonly refreshId: number;
  readonly lease: number;
  readonly circles: readonly SearchedCircle[];
}

interface NewStoreRefresh {
  readonly areas: string;
  readonly now: Date;
  readonly origin: 'command' | 'schedule';
  readonly upstream: string;
  readonly clock: ClockKind;
  readonly circles: readonly SearchedCircle[];
}

/** Creates access to the refreshes of the stores; at most one is open, and one worker at a time works on it. */
export function createStoreRefreshes(db: Database) {
  const find = async (where: string, values: unknown[]): Promise<StoreRefresh | null> => {
    const [refresh] = await rowsOf<StoreRefresh & Record<string, unknown>>(
      db,
      `select refresh_id as "refreshId", areas, observed_at as "observedAt", status, upstream, clock,
         started_at as "startedAt", verdict, reasons,
         circles, stores_seen as "storesSeen", stores_new as "storesNew", stores_changed as "storesChanged",
         stores_gone as "storesGone",
         paused_for as "pausedFor", paused_until as "pausedUntil"
       from ops.store_refresh where ${where} order by refresh_id desc limit 1`,
      values,
    );
    return refresh ?? null;
  };

  return {
    byId: (refreshId: number) => find('refresh_id = $1', [refreshId]),
    openOne: () => find(`status = 'open'`, []),
    lastPublished: () => find(`status = 'published'`, []),

    /** Null if another process has opened one at the same time. */
    async open({ areas, now, origin, upstream, clock, circles }: NewStoreRefresh): Promise<number | null> {
      const [opened] = await rowsOf<{ refreshId: number }>(
        db,
        `insert into ops.store_refresh (areas, observed_at, started_at, origin, upstream, clock, searched)
         values ($1, $2, $2, $3, $4, $5, $6)
         on conflict do nothing returning refresh_id as "refreshId"`,
        [areas, now, origin, upstream, clock, JSON.stringify(circles)],
      );
      return opened?.refreshId ?? null;
    },

    /** Takes an open refresh that no other live worker has; null if there is none. */
    async take(refreshId: number, workerId: string): Promise<TakenRefresh | null> {
      const [taken] = await rowsOf<TakenRefresh & Record<string, unknown>>(
        db,
        `update ops.store_refresh u set worker_id = $2, lease = lease + 1
         where refresh_id = $1 and status = 'open' and (worker_id = $2 or ${isUnleased})
         returning refresh_id as "refreshId", lease, searched as circles`,
        [refreshId, workerId],
      );
      return taken ?? null;
    },

    /** Leaves the refresh to other workers. */
    async leave(refreshId: number, workerId: string): Promise<void> {
      await db.query('update ops.store_refresh set worker_id = null where refresh_id = $1 and worker_id = $2', [
        refreshId,
        workerId,
      ]);
    },

    /**
     * Cells of the circles whose answers the last complete refresh of these areas and upstream accepted; empty if there
     * was none.
     */
    async cellsBefore({ areas, upstream }: { areas: string; upstream: string }): Promise<Area[]> {
      const [last] = await rowsOf<{ circles: SearchedCircle[] }>(
        db,
        `select searched as circles from ops.store_refresh
         where status = 'published' and verdict = 'complete' and areas = $1 and upstream = $2
         order by refresh_id desc limit 1`,
        [areas, upstream],
      );
      return (last?.circles ?? []).filter(({ splitFor }) => splitFor === null).map(({ cell }) => cell);
    },

    /** Stores in the largest answer of earlier refreshes from that upstream. */
    async mostReceivedBefore(refreshId: number): Promise<number> {
      const [row] = await rowsOf<{ most: number }>(
        db,
        `select coalesce(max((circle ->> 'received')::int), 0)::int as most
         from ops.store_refresh r cross join lateral jsonb_array_elements(searched) as circle
         where refresh_id < $1 and upstream = (select upstream from ops.store_refresh where refresh_id = $1)`,
        [refreshId],
      );
      return row!.most;
    },

    /** Abandons an open refresh. Returns false if a live worker is working on it. */
    async abandon(refreshId: number, now: Date): Promise<boolean> {
      return db.tx(async (tx) => {
        const abandoned = await countOf(
          tx,
          `update ops.store_refresh u set status = 'abandoned', finished_at = $2
           where refresh_id = $1 and status = 'open' and ${isUnleased}`,
          [refreshId, now],
        );
        if (abandoned > 0) await tx.query('delete from stage.store where refresh_id = $1', [refreshId]);
        return abandoned > 0;
      });
    },

    async pause(refreshId: number, why: string | null, until: Date | null): Promise<void> {
      await db.query(
        `update ops.store_refresh set paused_for = $2, paused_until = $3 where refresh_id = $1 and status = 'open'`,
        [refreshId, why, until],
      );
    },
  };
}

export type StoreRefreshes = ReturnType<typeof createStoreRefreshes>;

/** A circle that was not requested yet. */
export function plannedCircle({ cell }: Circle, circleNo: number, parentNo: number | null = null): SearchedCircle {
  const nothing = { received: 0, rejected: 0, storeIds: [], distancePerMile: null };
  return { circleNo, parentNo, cell, splitFor: null, state: 'planned', ...nothing };
}

/** A circle in the form in which answers are judged. */
export function askedCircle({ state, cell, storeIds, ...circle }: SearchedCircle): AskedCircle {
  return { ...circle, ...circleAround(cell), isAnswered: state === 'done', storeIds: new Set(storeIds) };
}

/** Locks a taken refresh until the transaction ends. Throws `LeaseLost` if it is over or another worker has it. */
export async function lockStoreRefresh(tx: Queryable, { refreshId, lease }: TakenRefresh): Promise<void> {
  const open = await rowsOf(
    tx,
    `select refresh_id from ops.store_refresh where refresh_id = $1 and lease = $2 and status = 'open' for update`,
    [refreshId, lease],
  );
  if (open.length === 0) throw new LeaseLost(`The refresh ${refreshId} of the stores`);
}

/** Stores the circles of a taken refresh, in the transaction that stages what they found. */
export async function writeCircles(
  tx: Queryable,
  { refreshId }: TakenRefresh,
  circles: readonly SearchedCircle[],
): Promise<void> {
  await tx.query('update ops.store_refresh set searched = $2 where refresh_id = $1', [
    refreshId,
    JSON.stringify(circles),
  ]);
}
