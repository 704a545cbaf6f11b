import { MoveRefused } from '../../base/errors.ts';
import { describeWorld, type ListingName } from '../../base/model/index.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { countOf } from '../../db/rows.ts';
import {
  addressAfter,
  isSameAddress,
  type ListingAddress,
  type ListingMove,
  readMoves,
} from '../ledger/listing-moves.ts';
import { lockWorld } from '../ledger/worlds.ts';

interface Switch {
  readonly listing: ListingName;
  /** The configured address, from which moves are followed. */
  readonly configured: ListingAddress;
  readonly from: ListingAddress;
  readonly to: ListingAddress;
  readonly now: Date;
  /** Requests of this month that were counted for the old host, and for the new host. */
  readonly unitsUsed: number;
  readonly unitsUsedThere: number;
}

/**
 * Moves a listing in one transaction. All processes notice it within a second. Usage is then counted for the new
 * subscription; the old count is stored with the move.
 */
export async function switchHost(db: Database, given: Switch): Promise<void> {
  const { listing, configured, from, to, now } = given;
  await db.tx(async (tx) => {
    await lockWorld(tx);
    const present = addressAfter(await readMoves(tx), listing, configured);
    if (!isSameAddress(present, from)) {
      throw new MoveRefused(
        listing,
        `it was moved to ${present.host} in the meantime. \`pricebook listings\` shows the current host`,
      );
    }
    // A confirmed host that is left all the same is no longer the current one.
    await tx.query(
      `delete from ops.listing_move
       where listing = $1 and (from_base_url, from_host) = ($2, $3) and (to_base_url, to_host) = ($2, $3)`,
      [listing, from.baseUrl, from.host],
    );
    await tx.query(
      `insert into ops.listing_move (
         listing, from_base_url, from_host, to_base_url, to_host, moved_at, units_used)
       values ($1, $2, $3, $4, $5, $6, $7)`,
      [listing, from.baseUrl, from.host, to.baseUrl, to.host, now, given.unitsUsed],
    );
    await moveWorld(tx, listing, from, to, now);
    await beginAccounts(tx, listing, to, given.unitsUsedThere);
  });
}

/** Records that a host is the current one of its listing, where the registry cannot know. */
export async function confirmHost(
  sql: Queryable,
  { listing, address, now }: { listing: ListingName; address: ListingAddress; now: Date },
): Promise<void> {
  await sql.query(
    `insert into ops.listing_move (listing, from_base_url, from_host, to_base_url, to_host, moved_at)
     values ($1, $2, $3, $2, $3, $4)
     on conflict (listing, from_base_url, from_host) where rolled_back_at is null do nothing`,
    [listing, address.baseUrl, address.host, now],
  );
}

/** Reverts the last move of a listing. All processes notice it within a second. */
export async function switchBack(
  db: Database,
  { move, now, unitsSpentSince }: { move: ListingMove; now: Date; unitsSpentSince: number },
): Promise<void> {
  const { moveId, listing, from, to, unitsUsed } = move;
  await db.tx(async (tx) => {
    await lockWorld(tx);
    const undone = await countOf(
      tx,
      'update ops.listing_move set rolled_back_at = $2 where move_id = $1 and rolled_back_at is null',
      [moveId, now],
    );
    if (undone === 0) throw new MoveRefused(listing, 'its move was reverted in the meantime');
    await moveWorld(tx, listing, to, from, now);
    await beginAccounts(tx, listing, from, unitsUsed + unitsSpentSince);
  });
}

/** Points the database's world and its open runs at the listing's new address. */
async function moveWorld(tx: Queryable, listing: ListingName, from: ListingAddress, to: ListingAddress, now: Date) {
  await tx.query(
    `update ops.world set base_url = $4, host = $5, recorded_at = $6
     where kind = 'live' and listing = $1 and base_url = $2 and host = $3`,
    [listing, from.baseUrl, from.host, to.baseUrl, to.host, now],
  );
  await tx.query(`update ops.run set upstream = $2 where upstream = $1 and status in ('open', 'held')`, [
    describeWorld({ kind: 'live', listing, ...from }),
    describeWorld({ kind: 'live', listing, ...to }),
  ]);
}

/** Resets failures, stops and quota of the listing, because they belong to the other host's subscription. */
async function beginAccounts(
  tx: Queryable,
  listing: ListingName,
  { host }: ListingAddress,
  used: number,
): Promise<void> {
  await tx.query(
    `update ops.listing
     set host = $2, failures_in_a_row = 0, last_error = null, last_error_at = null, quota_key = null,
       quota_limit = null, quota_remaining = null, quota_resets_at = null, quota_seen_at = null,
       used = $3, used_by_others = 0, used_before = 0, used_at_end = 0
     where listing = $1`,
    [listing, host, used],
  );
  await tx.query(`delete from ops.stop where listing = $1 and scope in ('key', 'listing')`, [listing]);
}
