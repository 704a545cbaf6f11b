import type { Clock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { WatchRule } from '../../base/model/watch-rule.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Destination } from '../messages/receiver.ts';

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

/** How the messages of lists are sent. */
export interface Delivery {
  /** Null: nothing is sent, so that events are on the page and in feeds only. */
  readonly destination: Destination | null;
  /** Mailboxes of lists that have one of their own. */
  readonly mailboxes: ReadonlyMap<string, string>;
}

/** The only way in which the explorer writes. */
export interface WatchLists {
  /** Adds a rule unless the list has it. Its id; null: there is no such product. */
  add(watch: NewWatch): Promise<string | null>;
  /** Removes a rule; its events stay in the feed. */
  remove(watchId: string): Promise<void>;
  /** Gives a list with its feed and mailbox another name. False: a list has or had that name. */
  rename(list: string, name: string): Promise<boolean>;
  /** Removes the rules and the mailbox of a list; its events stay in the feed. */
  removeList(list: string): Promise<void>;
  /** Null: messages of the list go where all others go. */
  setMailbox(list: string, address: string | null): Promise<void>;
  readDelivery(): Promise<Delivery>;
}

interface Needs {
  readonly db: Database;
  readonly clock: Clock;
  /** Where messages go; without it, or null, nothing is sent. */
  destination?(): Destination | null;
}

export function createWatchLists({ db, clock, destination = () => null }: Needs): WatchLists {
  return {
    async add({ list, region, productId, rule, amount, createdBy }) {
      const [added] = await rowsOf<{ id: string }>(
        db,
        `insert into ops.watch (list, region, product_key, rule, amount, created_at, created_by)
         select $1, $2, product_key, $4, $5, $6, $7
         from catalog.product
         where region = $2 and product_id = $3 and replaced_at is null
         on conflict (list, product_key, rule, coalesce(amount, 0)) do update set list = excluded.list
         returning watch_id as id`,
        [list, region, productId, rule, amount, clock.now(), createdBy],
      );
      return added?.id ?? null;
    },

    async remove(watchId) {
      await db.query('delete from ops.watch where watch_id = $1', [watchId]);
    },

    rename: (list, name) =>
      db.tx(async (tx) => {
        const taken = await rowsOf(
          tx,
          `select from ops.watch where list = $1 union all select from ops.watch_message where list = $1 limit 1`,
          [name],
        );
        if (taken.length > 0) return false;
        for (const table of ['watch', 'watch_message', 'watch_mailbox'])
          await tx.query(`update ops.${table} set list = $2 where list = $1`, [list, name]);
        return true;
      }),

    removeList: (list) =>
      db.tx(async (tx) => {
        await tx.query('delete from ops.watch where list = $1', [list]);
        await tx.query('delete from ops.watch_mailbox where list = $1', [list]);
      }),

    async setMailbox(list, address) {
      await db.query(
        address === null
          ? 'delete from ops.watch_mailbox where list = $1'
          : `insert into ops.watch_mailbox (list, address) values ($1, $2)
             on conflict (list) do update set address = excluded.address`,
        address === null ? [list] : [list, address],
      );
    },

    async readDelivery() {
      const boxes = await rowsOf<{ list: string; address: string }>(db, 'select list, address from ops.watch_mailbox');
      return { destination: destination(), mailboxes: new Map(boxes.map(({ list, address }) => [list, address])) };
    },
  };
}
