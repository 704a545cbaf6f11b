import type { Clock } from '../clock.ts';
import type { Database } from '../db/client.ts';
import type { Outcome, Reservation, Spend } from '../gateway/spend.ts';
import type { ListingName } from '../model/index.ts';
import type { SpendCaps } from '../plan/night-budget.ts';
import { beginWindows } from './begin-windows.ts';
import { failuresToStop } from './circuit-breaker.ts';
import { createCircuitBreakerStore } from './circuit-breaker-store.ts';
import { correctMonth, type QuotaTold } from './quota-headers.ts';
import { createSpendCounts } from './spend-counts.ts';
import { createSpendGate, type SpendGate } from './spend-gate.ts';
import { type ListingLimits, monthLimit } from './terms.ts';
import { processTiming, type Timing } from './timing.ts';

export interface SpendNeeds {
  readonly db: Database;
  readonly listings: Readonly<Record<ListingName, ListingLimits>>;
  readonly clock: Clock;
  /** What one run may spend; null: what the limits allow. */
  readonly caps?: SpendCaps | null;
  readonly timing?: Timing;
  /** Hears of every outcome of what may have gone out, once. */
  readonly onOutcome?: (reservation: Reservation, outcome: Outcome) => void;
  /** Hears when outcomes could not be written; they are kept and written later. */
  readonly onTrouble?: (error: unknown) => void;
}

export type { ListingLimits } from './terms.ts';

/** How long plain outcomes are gathered before they are written together. */
const gatherMs = 100;

/** The accounts of all requests, in PostgreSQL and so shared by all processes: every limit, stops, and what became of each. */
export function createSpend(needs: SpendNeeds): Spend & { close(): Promise<void> } {
  const { db, listings, clock, caps = null, timing = processTiming, onOutcome, onTrouble } = needs;
  const gates = new Map<ListingName, SpendGate>();
  const begun = new Map<ListingName, Promise<void>>();
  const counts = createSpendCounts();
  const health = createCircuitBreakerStore(db, listings);
  /** The latest word of each listing's headers that is not written yet. */
  const told = new Map<ListingName, QuotaTold>();
  let failuresSeen = 0;
  let timer: NodeJS.Timeout | null = null;
  let writing: Promise<void> = Promise.resolve();

  return {
    async reserve(question, { signal } = {}) {
      await begin(question.listing);
      return gateOf(question.listing).enter(question, signal);
    },

    sent(reservation) {
      const maySend = gateOf(reservation.listing).sent(reservation);
      writeSoon();
      return maySend;
    },

    async settle(reservation, outcome) {
      const gate = gateOf(reservation.listing);
      const { kind } = outcome;
      if (kind === 'unsent') return unused(reservation);
      const isTrial = gate.isTrial(reservation);
      counts.add(reservation, kind);
      onOutcome?.(reservation, outcome);
      const at = clock.now();
      health.add(reservation.listing, { outcome, at, isTrial, key: reservation.key ?? null });
      if (outcome.quota)
        told.set(reservation.listing, { quota: outcome.quota, seenAt: at, unitsGone: gate.unitsGone() });
      try {
        if (outcome.kind === 'rate_limited') await gate.pause(db, outcome.retryAfterMs ?? 0);
        if (isTrial || isUrgent(outcome)) await write();
        else writeSoon();
      } finally {
        gate.settled(reservation);
      }
    },

    async close() {
      // A caller that hung up does not wait for its reservation: what comes of it has to be counted all the same.
      await Promise.allSettled(begun.values());
      await Promise.all([...gates.values()].map((gate) => gate.idle()));
      if (timer) clearTimeout(timer);
      timer = null;
      await write();
    },
  };

  /** What was spent at a played instant says nothing of the last hours. */
  function begin(listing: ListingName): Promise<void> | undefined {
    if (clock.playedFrom || listings[listing].windows.length === 0) return undefined;
    const beginning = begun.get(listing) ?? beginWindows(db, listing, listings[listing]);
    begun.set(listing, beginning);
    beginning.catch(() => begun.delete(listing));
    return beginning;
  }

  function gateOf(listing: ListingName): SpendGate {
    const known = gates.get(listing);
    if (known) return known;
    const gate = createSpendGate({
      db,
      clock,
      timing,
      listing,
      limits: listings[listing],
      caps,
      onUnused: unused,
    });
    gates.set(listing, gate);
    return gate;
  }

  function unused(reservation: Reservation) {
    gateOf(reservation.listing).unsent(reservation);
    writeSoon();
  }

  /** What must stop all processes is known to them before the caller goes on. */
  function isUrgent({ kind }: Outcome): boolean {
    if (kind === 'ok') failuresSeen = 0;
    if (kind === 'failed') failuresSeen += 1;
    return kind === 'quota' || kind === 'denied' || (kind === 'failed' && failuresSeen >= failuresToStop);
  }

  function writeSoon() {
    timer ??= setTimeout(() => {
      timer = null;
      write().catch(() => writeSoon());
    }, gatherMs);
  }

  async function correctMonths(): Promise<void> {
    for (const [listing, word] of told) {
      const limit = monthLimit(listings[listing], word.seenAt);
      if (limit !== null)
        await gateOf(listing).betweenReservations((unitsReserved) =>
          correctMonth(db, listing, { ...word, limit, unitsReserved }),
        );
      if (told.get(listing) === word) told.delete(listing);
    }
  }

  /** One write after the other: what an earlier one could not write, a later one finds. */
  function write(): Promise<void> {
    writing = writing.then(writeNow, writeNow);
    return writing;
  }

  async function writeNow(): Promise<void> {
    try {
      await counts.write(db, clock.now());
      await health.write();
      for (const gate of gates.values()) await gate.giveBack();
      await correctMonths();
      for (const gate of gates.values()) await gate.tellDepartures(db);
    } catch (error) {
      onTrouble?.(error);
      throw error;
    }
  }
}
