import { OtherWorld } from '../base/errors.ts';
import { type ClockKind, describeWorld, type SimulatedWorld, type World } from '../base/model/index.ts';
import type { Database, Queryable } from '../db/client.ts';
import { world as worldTable } from '../db/tables/index.ts';
import { listings } from '../source/listings/index.ts';
import { readMoves, worldAfter } from './moves.ts';

type Book = Pick<Database, 'orm'>;

interface Settling {
  /** The upstream of the process, as configured. */
  readonly world: World;
  readonly clock: ClockKind;
  readonly now: Date;
  /** Accept that the same listing has moved to another address. */
  readonly acceptNewHost: boolean;
  /** How to open another database or empty this one, for the error message. */
  readonly waysOut: string;
}

/**
 * Ensures that the database belongs to the upstream of the process and to its kind of clock; an empty database is
 * assigned to them. Throws `OtherWorld` if it belongs to others. A process checks this once, when it starts.
 */
export async function settleWorld(db: Database, given: Settling): Promise<void> {
  const { clock, now, acceptNewHost, waysOut } = given;
  await db.tx(async (tx) => {
    await lockWorld(tx);
    // A listing moved by `pricebook listings migrate` is the same, whatever address the process is configured with.
    const world = worldAfter(await readMoves(tx), given.world);
    const row = { ...columnsOf(world), clock, recordedAt: now };
    const [found] = await tx.orm.select().from(worldTable);
    if (!found) {
      await tx.orm.insert(worldTable).values(row);
      return;
    }
    const [before, after] = [describeWorld(worldIn(found)), describeWorld(world)];
    if (found.clock !== clock) throw new OtherWorld(`${before} on ${clocks[found.clock]}`, clocks[clock], waysOut);
    if (before === after) return;
    const mayHaveMoved = world.kind === 'live' && found.listing === world.listing;
    const isSameHost = mayHaveMoved && found.host === world.host && world.host !== simulatorHost;
    if (!isSameHost && !(mayHaveMoved && acceptNewHost))
      throw new OtherWorld(before, after, mayHaveMoved ? `${moveAdvice(world)} ${waysOut}` : waysOut);
    await tx.orm.update(worldTable).set(row);
  });
}

/** All simulators share one host name, which identifies none of them; other hosts identify a listing at any address. */
const simulatorHost = listings.grocery.simulatorHost;

const clocks: Readonly<Record<ClockKind, string>> = {
  machine: "the machine's clock",
  played: 'a clock set by --now',
};

const moveAdvice = ({ listing, host }: Extract<World, { kind: 'live' }>) =>
  `If the listing has moved there, set the old HOST and run \`pricebook listings migrate ${listing} --to ${host}\`, ` +
  'which probes the new host and switches; `pricebook crawl --accept-new-host` switches without a probe. If it has ' +
  'not moved, correct its BASE_URL and HOST.';

/** Serialises changes to the world of a database. */
export async function lockWorld(sql: Queryable): Promise<void> {
  await sql.query('lock table ops.world in exclusive mode');
}

/** The world of the database; null if none is recorded. */
export async function readWorld({ orm }: Book): Promise<World | null> {
  const [found] = await orm.select().from(worldTable);
  return found ? worldIn(found) : null;
}

/** Id of this database, shared with its copies; null if no world is recorded. */
export async function readBookId({ orm }: Book): Promise<string | null> {
  const [found] = await orm.select({ bookId: worldTable.bookId }).from(worldTable);
  return found?.bookId ?? null;
}

/** The simulator that the database belongs to; null if it belongs to none. */
export async function readSimulated(book: Book): Promise<SimulatedWorld | null> {
  const world = await readWorld(book);
  return world?.kind === 'simulated' ? world : null;
}

function worldIn({ kind, seed, items, listing, baseUrl, host }: typeof worldTable.$inferSelect): World {
  return kind === 'simulated'
    ? { kind, seed: seed!, items: items! }
    : { kind, listing: listing!, baseUrl: baseUrl!, host: host! };
}

function columnsOf(world: World) {
  const none = { seed: null, items: null, listing: null, baseUrl: null, host: null };
  return { ...none, ...world };
}
