import { LeaseLost } from '../../base/errors.ts';
import type { ClockKind } from '../../base/model/index.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { countOf, rowsOf } from '../../db/rows.ts';

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

interface NewStoreRefresh {
  readonly areas: string;
  readonly now: Date;
  readonly origin: 'command' | 'schedule';
  readonly upstream: string;
  readonly clock: ClockKind;
}

/** Creates access to the refreshes of the stores; at most one is open. */
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
    last: () => find('true', []),

    /** Null if another process has opened one at the same time. */
    async open(sql: Queryable, { areas, now, origin, upstream, clock }: NewStoreRefresh): Promise<number | null> {
      const [opened] = await rowsOf<{ refreshId: number }>(
        sql,
        `insert into ops.store_refresh (areas, observed_at, started_at, origin, upstream, clock)
         values ($1, $2, $2, $3, $4, $5)
         on conflict do nothing returning refresh_id as "refreshId"`,
        [areas, now, origin, upstream, clock],
      );
      return opened?.refreshId ?? null;
    },

    /** Abandons an open refresh. Returns false if a live worker is working on it. */
    async abandon(refreshId: number, now: Date): Promise<boolean> {
      return db.tx(async (tx) => {
        await tx.query(`select from ops.store_refresh where refresh_id = $1 for update`, [refreshId]);
        const abandoned = await countOf(
          tx,
          `update ops.store_refresh set status = 'abandoned', finished_at = $2
           where refresh_id = $1 and status = 'open' and not exists (
             select from ops.store_circle c join ops.worker w using (worker_id)
             where c.refresh_id = $1 and c.status = 'planned' and w.alive_until > clock_timestamp())`,
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

/** Locks the refresh until the transaction ends. Throws `LeaseLost` if it is no longer open. */
export async function lockStoreRefresh(tx: Queryable, refreshId: number): Promise<void> {
  const open = await rowsOf(
    tx,
    `select refresh_id from ops.store_refresh where refresh_id = $1 and status = 'open' for update`,
    [refreshId],
  );
  if (open.length === 0) throw new LeaseLost(`The refresh ${refreshId} of the stores`);
}
