import { describeWorld, type ListingName, type World } from '../../base/model/index.ts';
import type { Askable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Where a listing is asked and by which name the gateway knows it: the two change together or not at all. */
export interface ListingAddress {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly host: string;
}

export type ReplacedHostState = 'subscribed' | 'not_subscribed' | 'gone';

/** A listing that moved: whoever is configured for the one address asks the other. */
export interface ListingMove {
  readonly moveId: number;
  readonly listing: ListingName;
  readonly from: ListingAddress;
  readonly to: ListingAddress;
  readonly movedAt: Date;
  readonly rolledBackAt: Date | null;
  /** Requests of the old subscription's month when it moved. */
  readonly unitsUsed: number;
  /** What the old host said last; null: it was not asked since. */
  readonly replacedHostState: ReplacedHostState | null;
  readonly replacedHostSeenAt: Date | null;
  /** Milliseconds until processes follow it, or follow it no more; below zero: since. By the database's clock. */
  readonly inForceInMs: number;
  readonly outOfForceInMs: number | null;
}

/** Every move, the oldest first. */
export async function readMoves(sql: Askable): Promise<ListingMove[]> {
  const rows = await rowsOf<MoveRow>(
    sql,
    `select move_id as "moveId", listing, from_base_url as "fromBaseUrl", from_host as "fromHost", to_base_url as "toBaseUrl",
       to_host as "toHost", moved_at as "movedAt", rolled_back_at as "rolledBackAt", units_used as "unitsUsed",
       replaced_host_state as "replacedHostState", replaced_host_seen_at as "replacedHostSeenAt",
       extract(epoch from effective_at - clock_timestamp())::float8 * 1000 as "inForceInMs",
       extract(epoch from back_effective_at - clock_timestamp())::float8 * 1000 as "outOfForceInMs"
     from ops.listing_move order by move_id`,
  );
  return rows.map(({ fromBaseUrl, fromHost, toBaseUrl, toHost, ...move }) => ({
    ...move,
    from: { baseUrl: fromBaseUrl, host: fromHost },
    to: { baseUrl: toBaseUrl, host: toHost },
  }));
}

interface MoveRow extends Omit<ListingMove, 'from' | 'to'> {
  readonly fromBaseUrl: string;
  readonly fromHost: string;
  readonly toBaseUrl: string;
  readonly toHost: string;
}

/**
 * The address that is asked by whoever is configured for one. `inMs`: at which moment, from when the moves were read.
 */
export function addressAfter(
  moves: readonly ListingMove[],
  listing: ListingName,
  configured: ListingAddress,
  inMs = Number.POSITIVE_INFINITY,
): ListingAddress {
  let address = configured;
  // A listing moves a few times in its life; the bound only keeps a damaged table from turning in circles.
  for (let steps = 0; steps <= moves.length; steps += 1) {
    const next = moves.find(
      (move) => move.listing === listing && isInForce(move, inMs) && isSameAddress(move.from, address),
    );
    if (!next) break;
    address = next.to;
  }
  return address;
}

function isInForce({ rolledBackAt, inForceInMs, outOfForceInMs }: ListingMove, inMs: number): boolean {
  if (inForceInMs > inMs) return false;
  return rolledBackAt === null || (outOfForceInMs !== null && outOfForceInMs > inMs);
}

/** The first of all addresses that moves lead to and from: by it two processes know that they ask one listing. */
export function firstAddress(
  moves: readonly ListingMove[],
  listing: ListingName,
  address: ListingAddress,
): ListingAddress {
  const same = [address];
  for (let known = 0; known !== same.length; ) {
    known = same.length;
    for (const move of moves) {
      if (move.listing !== listing) continue;
      const has = (other: ListingAddress) => same.some((each) => isSameAddress(each, other));
      if (has(move.from) && !has(move.to)) same.push(move.to);
      else if (has(move.to) && !has(move.from)) same.push(move.from);
    }
  }
  return (
    moves.find((move) => move.listing === listing && same.some((each) => isSameAddress(each, move.from)))?.from ??
    address
  );
}

export function isSameAddress(one: ListingAddress, other: ListingAddress): boolean {
  return one.baseUrl === other.baseUrl && one.host === other.host;
}

/** The world that is asked by whoever is configured for one: a live listing that moved is asked where it is now. */
export function worldAfter(moves: readonly ListingMove[], world: World): World {
  if (world.kind === 'simulated' || world.baseUrl === null) return world;
  const { listing, baseUrl, host } = world;
  return { ...world, ...addressAfter(moves, listing, { baseUrl, host }) };
}

/** An upstream in words, as runs and worlds have it, by the first address of its listing: equal for one that moved. */
export function firstUpstream(moves: readonly ListingMove[], upstream: string): string {
  const [, listing, baseUrl, host] = /^(\w+) at (\S+), host (\S+)$/.exec(upstream) ?? [];
  if (listing === undefined || baseUrl === undefined || host === undefined) return upstream;
  const name = listing as ListingName;
  return describeWorld({ kind: 'live', listing: name, ...firstAddress(moves, name, { baseUrl, host }) });
}
