import pLimit from 'p-limit';
import type { Clock } from '../clock.ts';
import type { Askable } from '../db/client.ts';
import { AccessDenied, BudgetExhausted, type PricebookError, UpstreamUnavailable } from '../errors.ts';
import { longestWorkerWaitMs } from '../gateway/retry.ts';
import type { Reservation } from '../gateway/spend.ts';
import type { ListingName } from '../model/index.ts';
import type { SpendCaps } from '../plan/night-budget.ts';
import { createAdmissionQueue, type Decision } from './admission-queue.ts';
import { quotaUsedUp } from './circuit-breaker.ts';
import { createDepartures, pauseListing, tellDepartures } from './departures.ts';
import { createGiveBack, type Unsent } from './give-back.ts';
import { keyPrint } from './key-print.ts';
import { type Asked, isVital, type Reserved, reserveRequests } from './reserve.ts';
import { aheadMs, holdMs, type ListingLimits, monthLimit, reserveOf, stageOf, termsOf } from './terms.ts';
import type { Timing } from './timing.ts';

/** The way out to one listing: lets a request through when its limits and its health allow it. */
export interface SpendGate {
  enter(asked: Asked, signal?: AbortSignal): Promise<Reservation>;
  /** Whether this request was let through a stop, to see. */
  isTrial(reservation: Reservation): boolean;
  /** Its request goes out now; false: it may not any more, its slot is too long ago. */
  sent(reservation: Reservation): boolean;
  settled(reservation: Reservation): void;
  /** Its request certainly never went out: it will be given back. */
  unsent(reservation: Reservation): void;
  /** Gives back to the limits what never went out. */
  giveBack(): Promise<void>;
  /** Units whose requests went out or were given up, of all that this process reserved. */
  unitsGone(): number;
  /** Runs what compares them with the database's counts while no reservation is on its way there. */
  betweenReservations<Result>(compare: (unitsReserved: number) => Promise<Result>): Promise<Result>;
  /** Nobody asks this listing for so long; without a pace there is nobody to tell. */
  pause(sql: Askable, ms: number): Promise<void>;
  /** Tells the others which requests went out. */
  tellDepartures(sql: Askable): Promise<void>;
  /** Resolves when no request is on its way through. */
  idle(): Promise<void>;
}

/** Waiters that share one statement where no pace holds them back. */
const mostUnpaced = 500;
/** While a stop lasts, each process lets a health probe through at once and then so seldom that an outage stays cheap. */
const probeEveryMs = 10 * 60_000;

export function createSpendGate(needs: {
  db: Askable;
  clock: Clock;
  timing: Timing;
  listing: ListingName;
  limits: ListingLimits;
  caps: SpendCaps | null;
  /** A reservation that nobody took: its caller hung up while it waited. */
  onUnused: (reservation: Reservation) => void;
}): SpendGate {
  const { db, clock, timing, listing, limits, caps } = needs;
  const { requestsPerSecond, windows, weights } = limits;
  const weightOf = (endpoint: string) => weights[endpoint] ?? 1;
  const isPaced = requestsPerSecond > 0;
  const isLimited = isPaced || windows.length > 0 || caps !== null || monthLimit(limits, clock.now()) !== null;
  const departures = createDepartures(timing, holdMs(limits));
  let trial: { reservation: Reservation; over: Promise<void>; end: () => void } | null = null;
  /** A process that starts may know better than the ones before it: another key, another plan, an upstream that is back. */
  let hasTried = false;
  /** When a health probe was let through the present stop. */
  let probedAt: Date | null = null;

  /** The slots of those that have not gone out. */
  const slots = new WeakMap<Reservation, number>();
  const oneByOne = pLimit(1);
  const givingBack = createGiveBack(
    listing,
    windows.map(({ windowMs }) => windowMs),
  );
  /** What giving a reservation back needs of it. */
  const kept = new WeakMap<Reservation, Pick<Unsent, 'at' | 'atMs' | 'cost'>>();
  let unitsReserved = 0;
  let unitsGone = 0;
  const here = new WeakSet<Reservation>();
  const leave = (reservation: Reservation) => {
    if (here.delete(reservation)) unitsGone += weightOf(reservation.endpoint);
  };

  const admissionQueue = createAdmissionQueue<Asked, Reservation>({
    mostAtOnce: isPaced ? Math.max(1, Math.floor((requestsPerSecond * aheadMs) / 1_000)) : mostUnpaced,
    decide,
    isAlone: ({ isHealthProbe }) => isHealthProbe ?? false,
    giveBack: needs.onUnused,
  });

  return {
    enter: admissionQueue.enter,
    isTrial: (reservation) => trial?.reservation === reservation,
    sent(reservation) {
      const slotMs = slots.get(reservation);
      if (slotMs !== undefined && !departures.depart(slotMs)) return false;
      slots.delete(reservation);
      leave(reservation);
      return true;
    },
    settled(reservation) {
      leave(reservation);
      settle(reservation);
    },
    unsent(reservation) {
      const how = kept.get(reservation);
      const { endpoint, region, runId, hour } = reservation;
      // Of this process's units it is among those under way until the database counts it no more.
      if (how && here.delete(reservation))
        givingBack.add({ ...how, endpoint, region, runId, hour, units: weightOf(endpoint) });
      settle(reservation);
    },
    async giveBack() {
      if (givingBack.isEmpty()) return;
      await oneByOne(async () => {
        unitsReserved -= await givingBack.write(db, clock.now());
      });
    },
    unitsGone: () => unitsGone,
    betweenReservations: (compare) => oneByOne(() => compare(unitsReserved)),
    pause: async (sql, ms) => (isPaced ? pauseListing(sql, listing, ms) : undefined),
    async tellDepartures(sql) {
      const telling = departures.take();
      if (telling.length === 0 || !isPaced) return;
      await tellDepartures(sql, listing, telling).catch((error: unknown) => {
        departures.putBack(telling);
        throw error;
      });
    },
    idle: admissionQueue.idle,
  };

  function settle(reservation: Reservation): void {
    const slotMs = slots.get(reservation);
    if (slotMs !== undefined) departures.giveUp(slotMs);
    slots.delete(reservation);
    if (trial?.reservation !== reservation) return;
    trial.end();
    trial = null;
  }

  async function decide(asked: readonly Asked[]): Promise<Decision<Reservation>> {
    await trial?.over;
    const now = clock.now();
    const key = keyPrint(listing, limits.key.reveal());
    const isProbe = asked[0]!.isHealthProbe === true && mayProbe(now);
    const telling = departures.take();
    const reserved = await oneByOne(async () => {
      const askedMs = timing.nowMs();
      const answer = await reserveRequests(db, asked, {
        playedAt: clock.playedFrom ? now : null,
        weightOf,
        isFirst: !hasTried,
        isProbe,
        departures: telling,
        terms: termsOf(limits, { on: now, caps, key }),
      });
      departures.observe(answer.atMs, askedMs);
      for (const [i, outcome] of answer.outcomes.entries())
        if (outcome === 'go') unitsReserved += weightOf(asked[i]!.endpoint);
      return answer;
    }).catch((error: unknown) => {
      departures.putBack(telling);
      throw error;
    });
    if (reserved.stop === 'failing' && isProbe) probedAt = now;
    if (reserved.stop !== null && reserved.outcomes.length === 0 && reserved.waitsFor === null) {
      hasTried = true;
      return { members: asked.map(() => ({ refusal: stopped(reserved) })) };
    }
    return membersOf(asked, reserved, { key, now });
  }

  function membersOf(
    asked: readonly Asked[],
    reserved: Reserved,
    { key, now }: { key: string; now: Date },
  ): Decision<Reservation> {
    const members = reserved.outcomes.map((outcome, i) => {
      if (outcome !== 'go') return { refusal: usedUp(outcome, asked[i]!, reserved) };
      const pass = { ...reservationOf(asked[i]!, reserved.hour), key };
      here.add(pass);
      const at = clock.playedFrom ? now : new Date(reserved.atMs);
      kept.set(pass, { at, atMs: reserved.atMs, cost: reserved.costs?.[i] ?? null });
      const slotMs = reserved.slots[i] ?? null;
      if (isLimited && slotMs !== null) slots.set(pass, slotMs);
      return { pass, at: async () => (isPaced && slotMs !== null ? departures.waitFor(slotMs) : undefined) };
    });
    const [first] = members;
    if (first && 'pass' in first) {
      hasTried = true;
      if (reserved.stop !== null) beginTrial(first.pass);
      else probedAt = null;
    }
    const { waitsFor, againMs } = reserved;
    if (waitsFor === null || againMs === null) return { members };
    const isLong = waitsFor !== 'second' && againMs - reserved.atMs > longestWorkerWaitMs;
    if (!isLong) return { members, rest: (signal) => departures.waitFor(againMs, signal) };
    const reason = () => ({ refusal: windowFull(waitsFor, new Date(againMs)) });
    return { members: [...members, ...asked.slice(members.length).map(reason)] };
  }

  function beginTrial(reservation: Reservation): void {
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    trial = { reservation, over, end };
  }

  /** Failures alone do not tell an upstream that is away from a few questions it cannot answer; one it did answer does. */
  function mayProbe(now: Date): boolean {
    return probedAt === null || now.getTime() - probedAt.getTime() >= probeEveryMs;
  }

  function windowFull(waitsFor: Reserved['waitsFor'], until: Date): BudgetExhausted {
    if (waitsFor === 'turn') return new BudgetExhausted(listing, 'the month has only just turned', until);
    return new BudgetExhausted(
      listing,
      `the requests of ${waitsFor === 'hour' ? 'an hour' : `a ${waitsFor}`} are used up`,
      until,
    );
  }

  function usedUp(why: 'month' | 'run' | 'stage', asked: Asked, { monthEnds }: Reserved): BudgetExhausted {
    switch (why) {
      case 'month':
        return new BudgetExhausted(listing, monthUsedUp(asked), monthEnds);
      case 'run':
        return new BudgetExhausted(
          listing,
          `run ${asked.runId} has spent the ${caps?.total} requests of RUN_CAPS`,
          null,
          { isOfRun: true },
        );
      case 'stage': {
        const stage = stageOf(asked.endpoint);
        const most = stage === 'other' ? undefined : caps?.[stage];
        return new BudgetExhausted(
          listing,
          `run ${asked.runId} has spent the ${most} requests that RUN_CAPS allows for ${stage}`,
          null,
          { isOfRun: true },
        );
      }
    }
  }

  function monthUsedUp(asked: Asked): string {
    const limit = monthLimit(limits, clock.now())!;
    const keptBack = isVital(asked) ? 0 : reserveOf(limits, limit);
    return `the monthly quota of ${limit} requests is used up${keptBack > 0 ? ` but for the ${keptBack} kept back` : ''}`;
  }

  function stopped({ stop, stopUntil, stopWhat, stopFailures, recheckedAt }: Reserved): PricebookError {
    switch (stop) {
      case 'denied':
        if (stopWhat === quotaUsedUp)
          return new BudgetExhausted(listing, stopWhat, null, { isOfKey: true, recheckedAt: stopUntil });
        return new AccessDenied(listing, stopWhat ?? 'the key was refused', limits.keyVariable);
      case 'failing':
        return new UpstreamUnavailable(
          listing,
          `it failed ${stopFailures} times in a row, last with: ${stopWhat ?? 'no reason'}`,
          { isHeldBack: true },
        );
      case 'nothing_left':
        return new BudgetExhausted(listing, 'the upstream says that nothing is left of the quota', stopUntil, {
          isOfKey: true,
          recheckedAt,
        });
      default:
        return new BudgetExhausted(listing, stopWhat ?? 'the quota is used up', stopUntil, {
          isOfKey: true,
          recheckedAt,
        });
    }
  }
}

function reservationOf({ listing, endpoint, region, runId }: Asked, hour: Date): Reservation {
  return { listing, endpoint, region, runId, hour };
}
