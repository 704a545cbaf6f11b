import { OtherWorld } from '../../base/errors.ts';
import { describeWorld, type ListingName, type SimulatedWorld, type World } from '../../base/model/index.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { listings } from '../../source/listings/index.ts';
import { readMoves, worldAfter } from './listing-moves.ts';

interface Settling {
  /** The upstream of the process. */
  readonly world: World;
  readonly now: Date;
  /** Accept that the same listing has moved to another address. */
  readonly acceptNewHost: boolean;
  /** How to open another database or empty this one, for the error message. */
  readonly waysOut: string;
}

/**
 * Ensures that the database belongs to the upstream of the process; an empty database is assigned to it. Throws
 * `OtherWorld` if it belongs to another.
 */
export async function settleWorld(db: Database, given: Settling): Promise<void> {
  const { now } = given;
  await db.tx(async (tx) => {
    await lockWorld(tx);
    // A listing moved by `pricebook listings migrate` is the same, whatever address the process is configured with.
    const world = worldAfter(await readMoves(tx), given.world);
    const settling = { ...given, world };
    const found = await readWorld(tx);
    if (found === null) {
      await tx.query(insertWorld, [...columnsOf(world), now]);
    } else if (describeWorld(found) !== describeWorld(world)) {
      if (!isSameListing(found, world))
        refuseOther(found.kind === 'live' ? found.listing : null, describeWorld(found), settling);
      await tx.query(updateWorld, [...columnsOf(world), now]);
    }
  });
}

/** Serialises changes to the world of a database. */
export async function lockWorld(sql: Queryable): Promise<void> {
  await sql.query('lock table ops.world in exclusive mode');
}

/** Throws unless the same live listing is declared to have moved. `listing`: that of the recorded live world. */
function refuseOther(listing: ListingName | null, found: string, { world, acceptNewHost, waysOut }: Settling): void {
  const mayHaveMoved = world.kind === 'live' && world.listing === listing;
  if (mayHaveMoved && acceptNewHost) return;
  const advice = mayHaveMoved
    ? `If the listing has moved there, set the old HOST and run \`pricebook listings migrate ${listing} --to ` +
      `${world.host}\`, which compares both hosts and switches; \`pricebook crawl --accept-new-host\` switches ` +
      `without a comparison. If it has not moved, correct its BASE_URL and HOST. ${waysOut}`
    : waysOut;
  throw new OtherWorld(found, describeWorld(world), advice);
}

/**
 * A listing is identified by its host: the same host may have another address. All simulators share one host name,
 * which identifies none of them.
 */
function isSameListing(found: World, world: World): boolean {
  if (found.kind !== 'live' || world.kind !== 'live') return false;
  return found.listing === world.listing && found.host === world.host && world.host !== simulatorHost;
}

/** The world of the database; null if none is recorded. */
export async function readWorld(sql: Queryable): Promise<World | null> {
  const [row] = await rowsOf<WorldRow>(
    sql,
    'select kind, seed, items, listing, base_url as "baseUrl", host from ops.world',
  );
  if (!row) return null;
  return row.kind === 'simulated'
    ? { kind: row.kind, seed: row.seed!, items: row.items! }
    : { kind: row.kind, listing: row.listing!, baseUrl: row.baseUrl!, host: row.host! };
}

/** Id of this database, shared with its copies; null if no world is recorded. */
export async function readBookId(sql: Queryable): Promise<string | null> {
  const [row] = await rowsOf<{ bookId: string }>(sql, 'select book_id as "bookId" from ops.world');
  return row?.bookId ?? null;
}

/** The simulator that the database belongs to; null if it belongs to none. */
export async function readSimulated(sql: Queryable): Promise<SimulatedWorld | null> {
  const world = await readWorld(sql);
  return world?.kind === 'simulated' ? world : null;
}

const simulatorHost = listings.grocery.simulatorHost;

interface WorldRow {
  readonly kind: World['kind'];
  readonly seed: number | null;
  readonly items: number | null;
  readonly listing: ListingName | null;
  readonly baseUrl: string | null;
  readonly host: string | null;
}

function columnsOf(world: World): unknown[] {
  return world.kind === 'simulated'
    ? [world.kind, world.seed, world.items, null, null, null]
    : [world.kind, null, null, world.listing, world.baseUrl, world.host];
}

const insertWorld = `
  insert into ops.world (kind, seed, items, listing, base_url, host, recorded_at)
  values ($1, $2, $3, $4, $5, $6, $7)`;

const updateWorld = `
  update ops.world
  set kind = $1, seed = $2, items = $3, listing = $4, base_url = $5, host = $6, recorded_at = $7`;
