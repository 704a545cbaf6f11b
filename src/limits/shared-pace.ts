import { setTimeout as sleep } from 'node:timers/promises';
import type { Askable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { type Pace, sentLate, takeSlots } from './pace.ts';
import { createServerTime } from './server-time.ts';

/** A listing's pace, kept in the database and so the same for all processes. */
export interface SharedPace {
  /** Locks the pace until the transaction ends, and takes slots when told how many. */
  open(tx: Askable): Promise<(count: number) => Promise<Slot[]>>;
  /** Nobody asks for so long. */
  pause(sql: Askable, ms: number): Promise<void>;
  /** Tells the others of requests that went out late, if that is not yet known. */
  tellLateness(sql: Askable): Promise<void>;
}

export interface Slot {
  /** Resolves when it is time. */
  wait(): Promise<void>;
  /** The request goes out now. */
  use(): void;
}

export function createSharedPace(listing: string, requestsPerSecond: number): SharedPace {
  const time = createServerTime();
  /** Slots that were used later than planned: the window they fill ends later too. */
  let late: { slotMs: number; actualMs: number }[] = [];

  return {
    async open(tx) {
      const { nowMs, ...stored } = await lock(tx);
      time.observe(nowMs, performance.now());
      const pace = withLateness(stored);
      return async (count) => {
        const taken = takeSlots(pace, nowMs, count, requestsPerSecond);
        await store(tx, taken.pace);
        return taken.slotsMs.map((slotMs) => ({ wait: () => waitFor(slotMs), use: () => use(slotMs) }));
      };
    },

    async pause(sql, ms) {
      await sql.query(
        `insert into ops.listing_pace as p (listing, next_slot_ms) values ($1, ${nowMs} + $2)
         on conflict (listing) do update set next_slot_ms = greatest(p.next_slot_ms, excluded.next_slot_ms)`,
        [listing, ms],
      );
    },

    async tellLateness(sql) {
      if (late.length === 0) return;
      const telling = late;
      late = [];
      await sql.query(
        `update ops.listing_pace set sent_ms = (
           select array_agg(coalesce(l.actual, s.ms) order by s.at)
           from unnest(sent_ms) with ordinality as s (ms, at)
           left join unnest($2::float8[], $3::float8[]) as l (slot, actual) on l.slot = s.ms)
         where listing = $1 and sent_ms && $2::float8[]`,
        [listing, telling.map(({ slotMs }) => slotMs), telling.map(({ actualMs }) => actualMs)],
      );
    },
  };

  async function lock(tx: Askable): Promise<Pace & { nowMs: number }> {
    // The clock is read above the lock: a plain select would read it before waiting for the row.
    const select = `
      with locked as materialized (select next_slot_ms, sent_ms from ops.listing_pace where listing = $1 for update)
      select next_slot_ms as "nextSlotMs", sent_ms as "sentMs", ${nowMs} as "nowMs" from locked`;
    const [row] = await rowsOf<Pace & { nowMs: number }>(tx, select, [listing]);
    if (row) return row;
    await tx.query('insert into ops.listing_pace (listing) values ($1) on conflict do nothing', [listing]);
    const [fresh] = await rowsOf<Pace & { nowMs: number }>(tx, select, [listing]);
    return fresh!;
  }

  async function store(tx: Askable, { nextSlotMs, sentMs }: Pace): Promise<void> {
    await tx.query('update ops.listing_pace set next_slot_ms = $2, sent_ms = $3 where listing = $1', [
      listing,
      nextSlotMs,
      sentMs,
    ]);
  }

  function withLateness(stored: Pace): Pace {
    const known = late;
    late = [];
    return known.reduce((pace, { slotMs, actualMs }) => sentLate(pace, slotMs, actualMs), stored);
  }

  async function waitFor(slotMs: number): Promise<void> {
    const dueMs = time.toLocal(slotMs);
    // Timers may fire a fraction early.
    for (let leftMs = dueMs - performance.now(); leftMs > 0; leftMs = dueMs - performance.now()) await sleep(leftMs);
  }

  function use(slotMs: number): void {
    const lateMs = performance.now() - time.toLocal(slotMs);
    if (lateMs > worthTellingMs) late.push({ slotMs, actualMs: slotMs + lateMs });
  }
}

const worthTellingMs = 1;

const nowMs = '(extract(epoch from clock_timestamp()) * 1000)::float8';
