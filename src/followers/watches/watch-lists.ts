import type { Clock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { WatchRule } from '../../base/model/watch-rule.ts';
import type { Database } from '../../db/client.ts';

export interface NewWatch {
  readonly list: string;
  readonly region: RegionCode;
  readonly productId: string;
  readonly rule: WatchRule;
  /** For `below`, otherwise null. */
  readonly amount: number | null;
  /** User named by a reverse proxy; null: unknown. */
  readonly createdBy: string | null;
}

/** The only way in which the explorer writes. */
export interface WatchLists {
  /** Adds a rule unless the list has it. False: there is no such product. */
  add(watch: NewWatch): Promise<boolean>;
  /** Removes a rule; its events stay in the feed. */
  remove(watchId: string): Promise<void>;
}

export function createWatchLists({ db, clock }: { readonly db: Database; readonly clock: Clock }): WatchLists {
  return {
    async add({ list, region, productId, rule, amount, createdBy }) {
      const { rowCount } = await db.query(
        `with product as (
           select product_key from catalog.product
           where region = $2 and product_id = $3 and replaced_at is null
         ), added as (
           insert into ops.watch (list, region, product_key, rule, amount, created_at, created_by)
           select $1, $2, product_key, $4, $5, $6, $7 from product
           on conflict do nothing
         )
         select from product`,
        [list, region, productId, rule, amount, clock.now(), createdBy],
      );
      return rowCount === 1;
    },

    async remove(watchId) {
      await db.query('delete from ops.watch where watch_id = $1', [watchId]);
    },
  };
}
