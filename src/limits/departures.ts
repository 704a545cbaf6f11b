import type { Askable } from '../db/client.ts';
import type { Departure } from './reserve.ts';
import { createServerTime } from './server-time.ts';
import { sleepUntil, type Timing } from './timing.ts';

/** When requests of a listing go out, between the database's clock and this process's. */
export interface Departures {
  /** A reading of the database's clock that has just arrived, and when it was asked for. */
  observe(serverMs: number, askedMs: number): void;
  /** Resolves when an instant of the database's clock has come, or the signal wakes it. */
  waitFor(serverMs: number, signal?: AbortSignal): Promise<void>;
  /** The request of a slot goes out now; false: it is too late for it. */
  depart(slotMs: number): boolean;
  /** The request of a slot will not go out any more. */
  giveUp(slotMs: number): void;
  /** What nobody was told yet, to be told. */
  take(): readonly Departure[];
  /** They could not be told. */
  putBack(departures: readonly Departure[]): void;
  isEmpty(): boolean;
}

export function createDepartures(timing: Timing, latestMs: number): Departures {
  const time = createServerTime();
  let known: readonly Departure[] = [];

  return {
    observe: (serverMs, askedMs) => time.observe(serverMs, askedMs, timing.nowMs()),
    waitFor: (serverMs, signal) => sleepUntil(timing, time.toLocal(serverMs), signal),
    depart(slotMs) {
      // At the latest: how long the reading of the database's clock was under way is not known.
      const lateMs = timing.nowMs() - time.toLocal(slotMs) + time.uncertaintyMs();
      if (lateMs > latestMs) return false;
      known = [...known, { slotMs, departedMs: slotMs + Math.max(lateMs, 0) }];
      return true;
    },
    giveUp(slotMs) {
      known = [...known, { slotMs, departedMs: slotMs }];
    },
    take() {
      const taken = known;
      known = [];
      return taken;
    },
    putBack(departures) {
      known = [...departures, ...known];
    },
    isEmpty: () => known.length === 0,
  };
}

/** Tells all processes of requests that went out. One that was told already changes nothing. */
export async function tellDepartures(sql: Askable, listing: string, departures: readonly Departure[]): Promise<void> {
  await sql.query(
    `update ops.listing_pace set
       sent_ms = sent_ms || array(
         select d.ms from unnest(open_ms) as s (ms) join unnest($2::float8[], $3::float8[]) as d (slot, ms) on d.slot = s.ms),
       open_ms = array(select ms from unnest(open_ms) as s (ms) where ms <> all ($2::float8[]))
     where listing = $1 and open_ms && $2::float8[]`,
    [listing, departures.map(({ slotMs }) => slotMs), departures.map(({ departedMs }) => departedMs)],
  );
}

/** Nobody asks the listing for so long. */
export async function pauseListing(sql: Askable, listing: string, ms: number): Promise<void> {
  await sql.query(
    `insert into ops.listing_pace as p (listing, next_slot_ms) values ($1, ops.clock_ms() + $2)
     on conflict (listing) do update set next_slot_ms = greatest(p.next_slot_ms, excluded.next_slot_ms)`,
    [listing, ms],
  );
}
