import type { Clock } from '../../base/clock.ts';
import type { ListingName } from '../../base/model/index.ts';
import type { Database } from '../../db/client.ts';
import type { Outcome, Reservation, Spend } from '../spend.ts';
import { createGate, type Gate } from './gate.ts';
import type { ListingLimits } from './terms.ts';
import { processTiming, type Timing } from './timing.ts';

interface SpendNeeds {
  readonly db: Database;
  readonly listings: Readonly<Record<ListingName, ListingLimits>>;
  readonly clock: Clock;
  readonly timing?: Timing;
  /** Called once with each outcome of a request that may have been sent. */
  readonly onOutcome?: (reservation: Reservation, outcome: Outcome) => void;
  /** Called when outcomes could not be written; they are kept and written later. */
  readonly onTrouble?: (error: unknown) => void;
}

export type { ListingLimits } from './terms.ts';

/** Interval of idle checks, and maximum time that a busy process collects counts. */
const lookMs = 250;
const gatherMs = 2_000;
/** Number of outcomes after which counts are written at once; a killed process loses those not written. */
const mostGathered = 64;

/** Accounting of all requests in PostgreSQL, shared by all processes: limits, stops and outcomes. */
export function createSpend(needs: SpendNeeds): Spend & { write(): Promise<void>; close(): Promise<void> } {
  const { db, listings, clock, timing = processTiming, onOutcome, onTrouble } = needs;
  const gates = new Map<ListingName, Gate>();
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> | null = null;

  return {
    async reserve(question, { signal } = {}) {
      const reservation = await gateOf(question.listing).enter(question, signal);
      writeSoon();
      return reservation;
    },
    sent: (reservation) => gateOf(reservation.listing).sent(reservation),
    async settle(reservation, outcome) {
      writeSoon();
      const gate = gateOf(reservation.listing);
      await gate.settle(reservation, outcome);
      if (gate.outcomes >= mostGathered)
        writing ??= write()
          .catch(() => undefined)
          .finally(() => (writing = null));
    },
    write,
    async close() {
      await onEach((gate) => gate.close());
      if (timer) clearTimeout(timer);
      timer = null;
    },
  };

  function gateOf(listing: ListingName): Gate {
    const known = gates.get(listing);
    if (known) return known;
    const gate = createGate({ db, clock, timing, listing, limits: listings[listing], onOutcome });
    gates.set(listing, gate);
    return gate;
  }

  function writeSoon(): void {
    timer ??= setTimeout(async () => {
      timer = null;
      const open = [...gates.values()];
      const isLate = (gate: Gate) => performance.now() - gate.writtenMs >= gatherMs;
      const isDue = open.some(isLate) || open.every((gate) => gate.isIdle());
      if (isDue) await write().catch(() => undefined);
      if (open.some((gate) => gate.hasNews())) writeSoon();
    }, lookMs);
  }

  async function write(): Promise<void> {
    await onEach((gate) => gate.write());
  }

  /** Works on all listings, even if one fails, and then throws the first error. */
  async function onEach(work: (gate: Gate) => Promise<void>): Promise<void> {
    const done = await Promise.allSettled([...gates.values()].map(work));
    for (const one of done) {
      if (one.status === 'fulfilled') continue;
      onTrouble?.(one.reason);
      throw one.reason;
    }
  }
}
