import { randomUUID } from 'node:crypto';
import pLimit from 'p-limit';
import type { Clock } from '../../base/clock.ts';
import { BudgetExhausted } from '../../base/errors.ts';
import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { longestWorkerWaitMs } from '../retry.ts';
import type { CountedOutcome, Outcome, Reservation } from '../spend.ts';
import { keyPrint } from './key-print.ts';
import { createPace, type Departure, type Now } from './pace.ts';
import { releaseProbe, type Stop, stopChange, stopError } from './request-stops.ts';
import { type Asked, isVital, type Reserved, recountRuns, reserveRequests, type Settled, settle } from './reserve.ts';
import { createServerTime } from './server-time.ts';
import { type Counted, createSettlement, type ReservedAt } from './settlement.ts';
import { failuresToStop, holdMs, type ListingLimits, monthLimit, reserveOf, surplusOf, termsOf } from './terms.ts';
import { sleepUntil, type Timing } from './timing.ts';

/** Admission of requests to one listing: grants them when limits and stops allow it, and counts their outcomes. */
export interface Gate {
  /** Resolves with a reservation; rejects with the signal's reason if it is aborted. */
  enter(asked: Asked, signal?: AbortSignal): Promise<Reservation>;
  /** Called when the request is about to be sent; false: its slot is too long ago. */
  sent(reservation: Reservation): boolean;
  /** Resolves when a resulting stop is visible to all processes; counts may be written later. */
  settle(reservation: Reservation, outcome: Outcome): Promise<void>;
  /** Writes counts, and returns unused units if no request is in progress. */
  write(): Promise<void>;
  /** No request is waiting or in progress. */
  isIdle(): boolean;
  /** Whether there are counts to write or units to return. */
  hasNews(): boolean;
  /** Number of outcomes not written yet. */
  readonly outcomes: number;
  /** When outcomes were last written, also by a reservation; by `performance.now`. */
  readonly writtenMs: number;
  close(): Promise<void>;
}

interface GateNeeds {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly timing: Timing;
  readonly listing: ListingName;
  readonly limits: ListingLimits;
  readonly onOutcome?: ((reservation: Reservation, outcome: Outcome) => void) | undefined;
}

/**
 * While a listing is stopped, each process admits one health probe at once and then one per interval, so that an outage
 * costs little.
 */
const probeEveryMs = 10 * 60_000;

export function createGate({ db, clock, timing, listing, limits, onOutcome }: GateNeeds): Gate {
  const process = randomUUID();
  const weightOf = ({ endpoint }: Asked) => limits.weights[endpoint] ?? 1;
  const pace = limits.requestsPerSecond > 0 ? createPace(limits.requestsPerSecond) : null;
  const time = createServerTime();
  const settlement = createSettlement();
  /**
   * Runs statements one by one, so that units reserved by one are known before the next compares the headers' counters.
   */
  const oneByOne = pLimit(1);
  const waiting: Waiter[] = [];
  const blocks: Block[] = [];
  const permits = new Map<Reservation, Permit>();
  const changes: (() => Promise<unknown>)[] = [];
  let running: Promise<void> | null = null;
  let resting: AbortController | null = null;
  let probe: { readonly over: Promise<void>; readonly end: () => void } | null = null;
  /**
   * Whether this process has reserved before. A new process may probe a stop at once, because it may have another key
   * or plan.
   */
  let hasTried = false;
  let probedAt: Date | null = null;
  let unitsReserved = 0;
  let unitsGone = 0;
  /** Requests since the last reservation; the next one reserves as many in advance. */
  let used = 0;
  let failuresSeen = 0;
  let slotsReserved = 0;
  /** Until this instant other processes hold the next slots. In milliseconds of the database's clock. */
  let moreSlotsMs = 0;
  /** Missed slots are usable only if the next ones belong to this process, too. One reservation finds out. */
  let dropsLate = false;
  let writtenMs = performance.now();

  return {
    enter: (asked, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const waiter: Waiter = {
          asked,
          own: null,
          leave() {
            waiting.splice(waiting.indexOf(waiter), 1);
            signal?.removeEventListener('abort', onAbort);
            return { resolve, reject };
          },
        };
        const onAbort = () => {
          waiter.leave();
          if (waiter.own) takeBack(waiter.own);
          if (waiting.length === 0) resting?.abort();
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.push(waiter);
        running ??= letThrough();
      }),

    sent(reservation) {
      const permit = permits.get(reservation);
      if (!permit || isOld(permit.block)) return false;
      if (permit.departure && !pace?.depart(permit.departure, nowOnServer())) return false;
      leave(permit);
      return true;
    },

    async settle(reservation, outcome) {
      const permit = permits.get(reservation);
      if (!permit) return;
      permits.delete(reservation);
      try {
        if (outcome.kind === 'unsent') {
          if (permit.departure) pace?.giveUp(permit.departure);
          permit.block.left += 1;
          takeBack(permit);
        } else {
          onOutcome?.(reservation, outcome);
          await count(permit, outcome as CountedWith);
        }
      } finally {
        if (permit.stop) endProbe();
      }
    },

    write,
    isIdle,
    get outcomes() {
      return settlement.outcomes;
    },
    get writtenMs() {
      return writtenMs;
    },
    hasNews: () => !settlement.isEmpty() || changes.length > 0 || blocks.length > 0,
    async close() {
      while (running) await running;
      returnBlocks();
      await write();
    },
  };

  async function letThrough(): Promise<void> {
    try {
      // Requests of the same turn of the event loop share one reservation.
      await immediately();
      while (waiting.length > 0) {
        await probe?.over;
        if (waiting.length > 0) await letFirstThrough(waiting[0]!);
      }
    } catch (error) {
      refuse([...waiting], () => error);
    } finally {
      running = null;
    }
  }

  async function letFirstThrough(waiter: Waiter): Promise<void> {
    const block = waiter.own?.block ?? blockFor(waiter.asked);
    if (!block || (!waiter.own && runsLow())) return reserve(waiter);
    if (!pace) return pass(waiter, block, null);
    const departure = pace.take(block.weight, nowOnServer(), { dropsLate });
    if (departure === 'none') {
      returnBlocks();
      returnOwn(waiter);
      return reserve(waiter);
    }
    if (departure === 'late') {
      dropsLate = true;
      returnOwn(waiter);
      return reserve(waiter);
    }
    if ('againMs' in departure) return rest(departure.againMs);
    dropsLate = false;
    pass(waiter, block, departure);
  }

  function pass(waiter: Waiter, block: Block, departure: Departure | null): void {
    const { endpoint, region, runId } = waiter.asked;
    const { weight, key } = block;
    const hour = hourOf(block.at);
    block.left -= 1;
    if (block.left === 0) forget(block);
    used += 1;
    const reservation: Reservation = { listing, endpoint, region, runId, hour, key };
    const stop = waiter.own?.stop ?? null;
    permits.set(reservation, { endpoint, region, runId, hour, weight, block, departure, stop, isGone: false });
    if (stop) beginProbe();
    waiter.leave().resolve(reservation);
  }

  /** Reserves for all waiting requests of the same kind, plus a block for those that follow. */
  async function reserve(waiter: Waiter): Promise<void> {
    const { asked } = waiter;
    const kind = kindOf(asked);
    const isProbe = asked.isHealthProbe === true;
    const group = isProbe
      ? [waiter]
      : waiting.filter((other) => !other.asked.isHealthProbe && kindOf(other.asked) === kind);
    const left = isProbe ? 0 : blocks.reduce((sum, block) => sum + (block.kind === kind ? block.left : 0), 0);
    const wanted = Math.max(1, group.length - left);
    const now = clock.now();
    const surplus = isProbe || !hasTried ? 0 : Math.min(used, surplusOf(limits, now));
    used = 0;
    const reserved = await ask(asked, { wanted, surplus, isProbe, now });
    hasTried = true;
    const { stop, granted, fullLimit, againMs, atMs } = reserved;
    if (stop?.reason === 'failing' && reserved.isHealthProbe) probedAt = now;
    if (stop && granted === 0) {
      return refuse(isProbe ? group : waiting.filter((other) => !other.asked.isHealthProbe), () =>
        stopError(stop, { listing, keyVariable: limits.keyVariable }),
      );
    }
    if (granted === 0) {
      if (fullLimit === 'second') moreSlotsMs = againMs!;
      const isLong = againMs === null || (fullLimit !== 'second' && againMs - atMs > longestWorkerWaitMs);
      if (isLong) return refuse(group, (refused) => fullError(refused.asked, reserved));
      // Use up the remaining slots first.
      return pace && pace.left > 0 && left > 0 ? undefined : rest(againMs);
    }
    const block: Block = {
      kind,
      asked,
      key: reserved.key,
      weight: weightOf(asked),
      at: reserved.at,
      atMs,
      left: granted,
    };
    blocks.push(block);
    if (pace && reserved.slots > 0) {
      slotsReserved = reserved.slots;
      pace.add({
        firstMs: reserved.firstSlotMs!,
        count: reserved.slots,
        gapMs: reserved.gapMs!,
        guardMs: reserved.guardMs,
      });
    }
    if (!stop) probedAt = null;
    if (!stop && !isProbe) return;
    // A probe's block serves this request alone.
    forget(block);
    if (waiting.includes(waiter)) waiter.own = { block, stop };
    else takeBack({ block, stop });
  }

  function ask(
    asked: Asked,
    { wanted, surplus, isProbe, now }: { wanted: number; surplus: number; isProbe: boolean; now: Date },
  ): Promise<Reserved & { readonly key: string; readonly guardMs: number; readonly isHealthProbe: boolean }> {
    return oneByOne(async () => {
      const key = currentKey();
      const guardMs = pace?.guardMs(time.uncertaintyMs()) ?? 0;
      const isHealthProbe = isProbe && (probedAt === null || now.getTime() - probedAt.getTime() >= probeEveryMs);
      const askedMs = timing.nowMs();
      const reserved = await reserveRequests(db, {
        asked,
        key,
        terms: termsOf(limits, now),
        weight: weightOf(asked),
        count: wanted + surplus,
        waiting: wanted,
        playedAt: clock.playedFrom ? now : null,
        askedAt: now,
        process,
        guardMs,
        probe: hasTried ? (isHealthProbe ? 'health' : null) : 'first',
        settled: beginSettlement(),
      });
      time.observe(reserved.atMs, askedMs, timing.nowMs());
      unitsReserved += reserved.granted * weightOf(asked);
      written(reserved.settled);
      return { ...reserved, key, guardMs, isHealthProbe };
    });
  }

  async function count(permit: Permit, outcome: CountedWith): Promise<void> {
    const at = clock.now();
    if (!permit.isGone) {
      if (permit.departure) pace?.giveUp(permit.departure);
      leave(permit);
    }
    settlement.outcome(permit, outcome, at);
    const { kind, quota, retryAfterMs = 0 } = outcome;
    if (quota) settlement.told(quota, at, unitsGone);
    if (kind === 'rate_limited' && pace) {
      pace.clear();
      settlement.pause(retryAfterMs);
    }
    if (kind === 'ok') failuresSeen = 0;
    if (kind === 'failed') failuresSeen += 1;
    const change = stopChange(outcome, { at, byHeaders: limits.monthlyQuota === null, probed: permit.stop });
    if (change) changes.push(() => change(db, { listing, key: permit.block.key }));
    // A stop must be visible to all processes before the caller continues; this process checks it before the next
    // request.
    if (!change && kind !== 'rate_limited' && failuresSeen < failuresToStop) return;
    dropBlocks();
    await write();
  }

  /** Makes a block that was reserved for one request available to all, because that request was never sent. */
  function takeBack({ block, stop }: { readonly block: Block; readonly stop: Stop | null }): void {
    if (!blocks.includes(block)) blocks.push(block);
    if (stop) changes.push(() => releaseProbe(db, { listing, key: block.key }));
  }

  /** A block that fits the request. Expired blocks are returned. */
  function blockFor(asked: Asked): Block | undefined {
    for (const block of blocks.filter(isOld)) returnBlock(block);
    const kind = kindOf(asked);
    return asked.isHealthProbe ? undefined : blocks.find((block) => block.kind === kind);
  }

  function returnBlocks(): void {
    for (const block of [...blocks]) returnBlock(block);
  }

  /** Slots without units are dropped as well: they would delay the reservation of further ones. */
  function dropBlocks(): void {
    returnBlocks();
    pace?.clear();
  }

  function returnBlock(block: Block): void {
    forget(block);
    const { asked, weight, left, at } = block;
    block.left = 0;
    settlement.giveBack(left * weight, { ...asked, hour: hourOf(at) }, block);
  }

  /** Returns a block that was reserved for one request and missed its slot. */
  function returnOwn(waiter: Waiter): void {
    if (!waiter.own) return;
    const { own } = waiter;
    waiter.own = null;
    takeBack(own);
    returnBlock(own.block);
  }

  function forget(block: Block): void {
    const at = blocks.indexOf(block);
    if (at >= 0) blocks.splice(at, 1);
  }

  function leave(permit: Permit): void {
    permit.isGone = true;
    unitsGone += permit.weight;
    settlement.sent(permit);
  }

  /** Whether the block has expired or belongs to a past hour (requests are counted per hour). */
  function isOld({ at, atMs }: Block): boolean {
    const now = nowOnServer();
    const hour = hourOf(clock.playedFrom ? clock.now() : new Date(now.ms));
    return now.ms + now.uncertaintyMs - atMs > holdMs(limits) || hour.getTime() !== hourOf(at).getTime();
  }

  /** Reserves the next slots while a few are left, so that there is no gap between them. */
  function runsLow(): boolean {
    if (!pace || pace.left === 0 || pace.left > slotsReserved / 5) return false;
    return waiting.length > pace.left && nowOnServer().ms >= moreSlotsMs;
  }

  async function rest(untilMs: number): Promise<void> {
    resting = new AbortController();
    await sleepUntil(timing, time.toLocal(untilMs), resting.signal);
    resting = null;
  }

  function write(): Promise<void> {
    return oneByOne(async () => {
      // Slots that are still to come cannot be returned, so their units are kept for the next requests.
      if (isIdle() && !pace?.isAhead(nowOnServer())) dropBlocks();
      for (;;) {
        const settled = beginSettlement();
        if (settled === null) break;
        const now = clock.now();
        written(await settle(db, { listing, key: currentKey(), terms: termsOf(limits, now), at: now, settled }));
      }
      for (let change = changes[0]; change; change = changes[0]) {
        await change();
        changes.shift();
      }
    });
  }

  function beginSettlement(): string | null {
    writtenMs = performance.now();
    return settlement.begin({ reserved: unitsReserved, gone: unitsGone });
  }

  function written(settled: Settled | null): void {
    unitsReserved -= settlement.end();
    if (settled?.is_stopped) dropBlocks();
    const runs = settled?.ended_runs ?? [];
    if (runs.length > 0) changes.push(() => recountRuns(db, runs));
  }

  function currentKey(): string {
    return keyPrint(listing, limits.key.reveal());
  }

  function beginProbe(): void {
    let end = () => {};
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    probe = { over, end };
  }

  function endProbe(): void {
    probe?.end();
    probe = null;
  }

  function isIdle(): boolean {
    return waiting.length === 0 && permits.size === 0;
  }

  function nowOnServer(): Now {
    return { ms: time.toServer(timing.nowMs()), uncertaintyMs: time.uncertaintyMs() };
  }

  function refuse(waiters: readonly Waiter[], reasonFor: (waiter: Waiter) => unknown): void {
    for (const waiter of waiters) if (waiting.includes(waiter)) waiter.leave().reject(reasonFor(waiter));
  }

  /** Requests of the same kind can use each other's reservations. */
  function kindOf({ endpoint, region, runId }: Asked): string {
    return [endpoint, region, runId].join('|');
  }

  function fullError(asked: Asked, { fullLimit, againMs, monthEnds }: Reserved): BudgetExhausted {
    const until = againMs === null ? null : new Date(againMs);
    switch (fullLimit) {
      case 'month':
        return new BudgetExhausted(listing, monthUsedUp(asked), monthEnds);
      case 'turn':
        return new BudgetExhausted(listing, 'the month has only just turned', until);
      default: {
        const window = fullLimit === 'hour' ? 'an hour' : `a ${fullLimit}`;
        return new BudgetExhausted(listing, `the requests of ${window} are used up`, until);
      }
    }
  }

  function monthUsedUp(asked: Asked): string {
    const limit = monthLimit(limits, clock.now())!;
    const keptBack = isVital(asked) ? 0 : reserveOf(limits, limit);
    const exception = keptBack > 0 ? ` except for a reserve of ${keptBack}` : '';
    return `the monthly quota of ${limit} requests is used up${exception}`;
  }
}

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);
}

const immediately = () => new Promise<void>((resolve) => setImmediate(resolve));

type CountedWith = Outcome & { readonly kind: CountedOutcome };

interface Waiter {
  readonly asked: Asked;
  /** The block reserved for this request alone, and the stop that it probes. */
  own: { readonly block: Block; readonly stop: Stop | null } | null;
  /** Removes the request from the queue. */
  leave(): { resolve(reservation: Reservation): void; reject(reason: unknown): void };
}

/** Reserved units for requests of one kind. */
interface Block extends ReservedAt {
  readonly kind: string;
  readonly asked: Asked;
  readonly key: string;
  readonly weight: number;
  left: number;
}

/** An admitted request. */
interface Permit extends Counted {
  readonly block: Block;
  readonly departure: Departure | null;
  /** The stop that this request probes. */
  readonly stop: Stop | null;
  isGone: boolean;
}
