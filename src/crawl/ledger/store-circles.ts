import type { Database, Queryable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';
import type { Area } from '../plan/area.ts';
import type { AskedCircle, Split } from '../plan/doubted-circles.ts';
import { type Circle, circleAround } from '../plan/store-cover.ts';
import { lockStoreRefresh } from './store-refreshes.ts';
import { isUnleased } from './workers.ts';

/** Maximum attempts per circle before the refresh continues without its answer. */
export const maxCircleAttempts = 3;

/** Maximum circles per refresh, in case the upstream's answers never agree. */
export const mostCircles = 4_000;

/** A circle claimed by a worker. */
export interface ClaimedCircle extends Circle {
  readonly circleNo: number;
  readonly lease: number;
  readonly attempts: number;
}

/** Creates access to the circles of refreshes: planned, claimed under a lease, done or failed, or split. */
export function createStoreCircles(db: Database) {
  return {
    async plan(tx: Queryable, refreshId: number, circles: readonly Circle[]): Promise<void> {
      await insertCircles(
        tx,
        refreshId,
        circles.map((circle) => ({ circle, parentNo: null })),
      );
    },

    /**
     * Cells of the circles whose answers the last complete refresh of these areas and upstream accepted; empty if there
     * was none.
     */
    async cellsBefore({ areas, upstream }: { areas: string; upstream: string }): Promise<Area[]> {
      return rowsOf<Area & Record<string, unknown>>(
        db,
        `select south, west, north, east from ops.store_circle
         where split_for is null and refresh_id = (
           select refresh_id from ops.store_refresh
           where status = 'published' and verdict = 'complete' and areas = $1 and upstream = $2
           order by refresh_id desc limit 1)
         order by circle_no`,
        [areas, upstream],
      );
    },

    /** Stores in the largest answer of earlier refreshes from that upstream. */
    async mostReceivedBefore(refreshId: number): Promise<number> {
      const [row] = await rowsOf<{ most: number }>(
        db,
        `select coalesce(max(received), 0)::int as most
         from ops.store_circle c join ops.store_refresh r using (refresh_id)
         where refresh_id < $1 and upstream = (select upstream from ops.store_refresh where refresh_id = $1)`,
        [refreshId],
      );
      return row!.most;
    },

    async claim(refreshId: number, workerId: string, limit: number): Promise<ClaimedCircle[]> {
      const rows = await rowsOf<CellRow & { lease: number; attempts: number }>(
        db,
        `update ops.store_circle u
         set worker_id = $2, lease = lease + 1, attempts = attempts + case when worker_id = $2 then 0 else 1 end
         where refresh_id = $1 and status = 'planned' and circle_no in (
           select circle_no from ops.store_circle u
           where refresh_id = $1 and status = 'planned' and (worker_id = $2 or ${isUnleased})
           order by circle_no limit $3 for update skip locked)
         returning ${cell}, lease, attempts`,
        [refreshId, workerId, limit],
      );
      return rows.map((row) => ({
        ...circleAround(row),
        circleNo: row.circleNo,
        lease: row.lease,
        attempts: row.attempts,
      }));
    },

    /** Releases a circle for another attempt; `costsAttempt` is false if the circle itself did not fail. */
    async release(
      refreshId: number,
      { circleNo, lease }: ClaimedCircle,
      costsAttempt: boolean,
      why: string,
    ): Promise<void> {
      await db.query(
        `update ops.store_circle set worker_id = null, error = $4, attempts = attempts - case when $5 then 0 else 1 end
         where refresh_id = $1 and circle_no = $2 and lease = $3 and status = 'planned'`,
        [refreshId, circleNo, lease, why, costsAttempt],
      );
    },

    async fail(refreshId: number, { circleNo, lease }: ClaimedCircle, why: string): Promise<void> {
      await db.query(
        `update ops.store_circle set status = 'failed', worker_id = null, error = $4
         where refresh_id = $1 and circle_no = $2 and lease = $3 and status = 'planned'`,
        [refreshId, circleNo, lease, why],
      );
    },

    async anyOutstanding(refreshId: number): Promise<boolean> {
      const rows = await rowsOf(
        db,
        `select 1 from ops.store_circle where refresh_id = $1 and status = 'planned' limit 1`,
        [refreshId],
      );
      return rows.length > 0;
    },

    /** All circles with their answers. */
    async asked(refreshId: number): Promise<AskedCircle[]> {
      const rows = await rowsOf<CellRow & AskedRow>(
        db,
        `select ${cell}, parent_no as "parentNo", split_for as "splitFor", status = 'done' as "isAnswered",
           coalesce(received, 0) as received,
           coalesce(store_ids, '{}') as "storeIds"
         from ops.store_circle where refresh_id = $1 order by circle_no`,
        [refreshId],
      );
      return rows.map(({ south, west, north, east, storeIds, ...asked }) => ({
        ...asked,
        ...circleAround({ south, west, north, east }),
        storeIds: new Set(storeIds),
      }));
    },

    /** Plans parts that replace circles. A second process that splits the same circles changes nothing. */
    async split(refreshId: number, splits: readonly Split[]): Promise<void> {
      await db.tx(async (tx) => {
        await lockStoreRefresh(tx, refreshId);
        const marked = await countOf(
          tx,
          `update ops.store_circle c set split_for = s.doubt
           from unnest($2::int[], $3::text[]) as s (circle_no, doubt)
           where c.refresh_id = $1 and c.circle_no = s.circle_no and c.split_for is null`,
          [refreshId, splits.map(({ circle }) => circle.circleNo), splits.map(({ doubt }) => doubt)],
        );
        if (marked === 0) return;
        const parts = splits.flatMap(({ circle, parts }) =>
          parts.map((part) => ({ circle: part, parentNo: circle.circleNo })),
        );
        await insertCircles(tx, refreshId, parts);
      });
    },
  };
}

export type StoreCircles = ReturnType<typeof createStoreCircles>;

type CellRow = Area & { readonly circleNo: number } & Record<string, unknown>;

interface AskedRow {
  readonly parentNo: number | null;
  readonly splitFor: AskedCircle['splitFor'];
  readonly isAnswered: boolean;
  readonly received: number;
  readonly storeIds: readonly string[];
}

const cell = 'circle_no as "circleNo", south, west, north, east';

async function insertCircles(
  tx: Queryable,
  refreshId: number,
  circles: readonly { readonly circle: Circle; readonly parentNo: number | null }[],
): Promise<void> {
  await tx.query(
    `insert into ops.store_circle (refresh_id, circle_no, parent_no, south, west, north, east)
     select $1,
       (select coalesce(max(circle_no), 0) from ops.store_circle where refresh_id = $1) + c.ordinality,
       c.parent_no, c.south, c.west, c.north, c.east
     from unnest($2::int[], $3::float8[], $4::float8[], $5::float8[], $6::float8[])
       with ordinality as c (parent_no, south, west, north, east, ordinality)`,
    [
      refreshId,
      circles.map(({ parentNo }) => parentNo),
      circles.map(({ circle }) => circle.cell.south),
      circles.map(({ circle }) => circle.cell.west),
      circles.map(({ circle }) => circle.cell.north),
      circles.map(({ circle }) => circle.cell.east),
    ],
  );
}
