import { and, eq, isNull, sql } from 'drizzle-orm';
import { MoveRefused } from '../base/errors.ts';
import type { ListingName, World } from '../base/model/index.ts';
import type { Database, Transaction } from '../db/client.ts';
import { listingMove, listing as listingTable, world } from '../db/tables/index.ts';
import { endStopsOf } from '../gateway/limits/stops.ts';
import { monthReported } from './run/quota-left.ts';
import { lockWorld } from './world.ts';

/** Base URL of a listing and its host name at the gateway. The two always change together. */
export interface ListingAddress {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly host: string;
}

export type ListingMove = Awaited<ReturnType<typeof readMoves>>[number];

/** Moves in force, oldest first. */
export async function readMoves({ orm }: Pick<Database, 'orm'>) {
  const { moveId, listing, fromBaseUrl, fromHost, toBaseUrl, toHost, movedAt, unitsUsed, quota } = listingMove;
  const from = { baseUrl: fromBaseUrl, host: fromHost };
  const to = { baseUrl: toBaseUrl, host: toHost };
  return orm
    .select({ moveId, listing, from, to, movedAt, unitsUsed, quota })
    .from(listingMove)
    .where(isNull(listingMove.rolledBackAt))
    .orderBy(moveId);
}

/** The current address of a listing that is configured with another one. */
export function addressAfter(
  moves: readonly ListingMove[],
  listing: ListingName,
  configured: ListingAddress,
): ListingAddress {
  let address = configured;
  // Each move leads on once, also if the table is damaged and moves lead in a circle.
  for (const _ of moves)
    address = moves.find(({ from, listing: its }) => its === listing && isSameAddress(from, address))?.to ?? address;
  return address;
}

export function isSameAddress(one: ListingAddress, other: ListingAddress): boolean {
  return one.baseUrl === other.baseUrl && one.host === other.host;
}

/** A configured world with the current address of its listing. */
export function worldAfter(moves: readonly ListingMove[], world: World): World {
  if (world.kind === 'simulated' || world.baseUrl === null) return world;
  const { listing, baseUrl, host } = world;
  return { ...world, ...addressAfter(moves, listing, { baseUrl, host }) };
}

interface Move {
  readonly listing: ListingName;
  readonly from: ListingAddress;
  readonly to: ListingAddress;
  readonly now: Date;
}

/**
 * Moves a listing in one transaction. Requests are then counted for the new subscription; the old count is kept with
 * the move.
 */
export async function moveListing(
  db: Database,
  move: Move & { readonly unitsUsed: number; readonly unitsUsedThere: number },
): Promise<void> {
  const { listing, from, to, now, unitsUsed, unitsUsedThere } = move;
  await db.tx(async (tx) => {
    await lockWorld(tx);
    // Nothing leads away from the new address any more.
    await tx.orm
      .update(listingMove)
      .set({ rolledBackAt: now })
      .where(and(eq(listingMove.listing, listing), isInForce, leadsFrom(to)));
    const quota = sql`(select ${sql.raw(monthReported)} from ops.listing h where h.listing = ${listing})`;
    const inserted = await tx.orm
      .insert(listingMove)
      .values({
        ...{ listing, movedAt: now, unitsUsed, quota },
        ...{ fromBaseUrl: from.baseUrl, fromHost: from.host, toBaseUrl: to.baseUrl, toHost: to.host },
      })
      .onConflictDoNothing()
      .returning();
    if (inserted.length === 0) throw new MoveRefused(listing, 'it was moved in the meantime');
    await changeAddress(tx, { listing, from, to, now }, unitsUsedThere);
  });
}

/** Takes the last move of a listing back. */
export async function moveBack(db: Database, move: ListingMove, now: Date): Promise<void> {
  const { moveId, listing, from, to, unitsUsed } = move;
  await db.tx(async (tx) => {
    await lockWorld(tx);
    const taken = await tx.orm
      .update(listingMove)
      .set({ rolledBackAt: now })
      .where(and(eq(listingMove.moveId, moveId), isInForce))
      .returning();
    if (taken.length === 0) throw new MoveRefused(listing, 'its move was taken back in the meantime');
    await changeAddress(tx, { listing, from: to, to: from, now }, unitsUsed);
  });
}

const isInForce = isNull(listingMove.rolledBackAt);

const leadsFrom = ({ baseUrl, host }: ListingAddress) =>
  and(eq(listingMove.fromBaseUrl, baseUrl), eq(listingMove.fromHost, host));

/**
 * Points the database's world at the new address, and forgets stops, errors and quota, which belong to the other host's
 * subscription.
 */
async function changeAddress(tx: Transaction, { listing, from, to, now }: Move, used: number): Promise<void> {
  await tx.orm
    .update(world)
    .set({ baseUrl: to.baseUrl, host: to.host, recordedAt: now })
    .where(and(eq(world.listing, listing), eq(world.baseUrl, from.baseUrl), eq(world.host, from.host)));
  await tx.orm
    .update(listingTable)
    .set({
      host: to.host,
      lastError: null,
      lastErrorAt: null,
      quotaKey: null,
      quotaLimit: null,
      quotaRemaining: null,
      quotaResetsAt: null,
      quotaSeenAt: null,
      used,
    })
    .where(eq(listingTable.listing, listing));
  await endStopsOf(tx, listing);
}
