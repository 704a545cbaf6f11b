import type { ListingName, World } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Base URL of a listing and its host name at the gateway. The two always change together. */
export interface ListingAddress {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  readonly host: string;
}

/** A move of a listing: processes configured for the address `from` send requests to `to`. */
export interface ListingMove {
  readonly moveId: number;
  readonly listing: ListingName;
  readonly from: ListingAddress;
  readonly to: ListingAddress;
  readonly movedAt: Date;
  readonly rolledBackAt: Date | null;
  /** Requests of the month that the old subscription had used at the time of the move. */
  readonly unitsUsed: number;
}

/** All moves, oldest first. */
export async function readMoves(sql: Queryable): Promise<ListingMove[]> {
  const rows = await rowsOf<MoveRow>(
    sql,
    `select move_id as "moveId", listing, from_base_url as "fromBaseUrl", from_host as "fromHost",
       to_base_url as "toBaseUrl",
       to_host as "toHost", moved_at as "movedAt", rolled_back_at as "rolledBackAt", units_used as "unitsUsed"
     from ops.listing_move
     where (from_base_url, from_host) <> (to_base_url, to_host)
     order by move_id`,
  );
  return rows.map(({ fromBaseUrl, fromHost, toBaseUrl, toHost, ...move }) => ({
    ...move,
    from: { baseUrl: fromBaseUrl, host: fromHost },
    to: { baseUrl: toBaseUrl, host: toHost },
  }));
}

/** Hosts that a person confirmed as current: rows of the table without another target. */
export function readConfirmedHosts(
  sql: Queryable,
): Promise<{ readonly listing: ListingName; readonly host: string }[]> {
  return rowsOf(
    sql,
    `select listing, to_host as host from ops.listing_move
     where (from_base_url, from_host) = (to_base_url, to_host) and rolled_back_at is null`,
  );
}

interface MoveRow extends Omit<ListingMove, 'from' | 'to'> {
  readonly fromBaseUrl: string;
  readonly fromHost: string;
  readonly toBaseUrl: string;
  readonly toHost: string;
}

/** The current address of a listing that is configured with another one. */
export function addressAfter(
  moves: readonly ListingMove[],
  listing: ListingName,
  configured: ListingAddress,
): ListingAddress {
  let address = configured;
  // A listing has only a few moves; the bound prevents an endless loop if the table is damaged.
  for (let steps = 0; steps <= moves.length; steps += 1) {
    const next = moves.find(
      (move) => move.listing === listing && move.rolledBackAt === null && isSameAddress(move.from, address),
    );
    if (!next) break;
    address = next.to;
  }
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
