import { type BonusOffer, monthlyQuotaOn, type Subscription } from '../../source/listings/index.ts';

/** The limits of a listing, as configured. */
export interface ListingLimits {
  readonly host: string;
  /** 0: unlimited. */
  readonly requestsPerSecond: number;
  /** 0: unlimited; null: determined by the upstream's headers. */
  readonly monthlyQuota: number | null;
  /** Limits per minute, hour and day. */
  readonly windows: readonly LimitWindow[];
  /** Units that a request counts against the limits, by endpoint; default: 1. */
  readonly weights: Readonly<Record<string, number>>;
  /** Units of the month kept back for health probes and open runs; null: 1%, at most 500. */
  readonly reserve: number | null;
  readonly subscription: Subscription;
  readonly bonusOffer: BonusOffer | null;
  readonly keyVariable: string;
  /** Read for each request, because it may be replaced while the program runs. */
  readonly key: { reveal(): string };
}

/** Maximum units in any interval of `windowMs`. */
export interface LimitWindow {
  readonly windowMs: number;
  readonly units: number;
}

/** The monthly limit on a day; null if none is configured. */
export function monthLimit(limits: ListingLimits, on: Date): number | null {
  const { subscription, bonusOffer: offer, monthlyQuota: told } = limits;
  return monthlyQuotaOn(on.toISOString().slice(0, 10), subscription, { offer, told }) || null;
}

/** Units of the month reserved for health probes and open runs. */
export function reserveOf({ reserve }: Pick<ListingLimits, 'reserve'>, limit: number): number {
  return Math.min(reserve ?? Math.min(Math.floor(limit / 100), 500), limit);
}

/**
 * Time after which an unused reservation is returned, because its request would fall into a window that does not count
 * it.
 */
export function holdMs({ windows }: Pick<ListingLimits, 'windows'>): number {
  return windows.length > 0 ? 600 : 30_000;
}

/** How far ahead slots are reserved. A killed process loses them, and other processes wait for theirs. */
function aheadMs({ windows }: Pick<ListingLimits, 'windows'>): number {
  return windows.length > 0 ? 300 : 2_000;
}

/** Maximum units reserved beyond the waiting requests; unused ones are returned when the process is idle. */
export function surplusOf(limits: ListingLimits, on: Date): number {
  if (limits.windows.length > 0) return 0;
  return monthLimit(limits, on) === null ? 256 : 16;
}

/** Limits as JSON for `ops.reserve` and `ops.settle`. */
export function termsOf(limits: ListingLimits, on: Date): string {
  const { host, requestsPerSecond, monthlyQuota, windows, subscription } = limits;
  const limit = monthLimit(limits, on);
  const price = subscription.plan?.pricePerMonth ?? null;
  return JSON.stringify({
    host,
    per_second: requestsPerSecond,
    windows: windows.map(({ windowMs, units }) => ({
      name: windowName(windowMs),
      ms: windowMs,
      units,
      piece_ms: pieceMsOf(windowMs),
    })),
    month_limit: limit,
    month_reserve: limit === null ? 0 : reserveOf(limits, limit),
    month_day: Number(subscription.startedOn?.slice(8) ?? 1),
    included: limit,
    price: price && price.micros / 1e6,
    price_beyond: subscription.pricePerExtraRequest && subscription.pricePerExtraRequest.micros / 1e6,
    currency: price?.currency ?? null,
    by_headers: monthlyQuota === null,
    hold_ms: holdMs(limits),
    ahead_ms: aheadMs(limits),
    turn_ms: turnMs,
    probe_ms: probeMs,
    recheck_ms: recheckMs,
    failures_to_stop: failuresToStop,
    failing_ms: stopMs.failing,
    clock_error_ms: clockErrorMs,
  });
}

/** Duration of stops whose end is unknown. */
export const stopMs = {
  /** At this interval, a total outage costs two requests per minute. */
  failing: 30_000,
  /** The key may be replaced or subscribed by then. */
  key_refused: 5 * 60_000,
  /** The upstream did not state when its quota resets. */
  quota: 60 * 60_000,
};

/**
 * Consecutive failures after which a listing is stopped. A short burst or one broken page does not reach it. A category
 * that fails as a whole does; then a health probe ends the stop.
 */
export const failuresToStop = 20;

export type WindowName = 'minute' | 'hour' | 'day';

export function windowName(windowMs: number): WindowName {
  if (windowMs < 3_600_000) return 'minute';
  return windowMs < 86_400_000 ? 'hour' : 'day';
}

/** Pieces per window. At full use, one piece (half a percent) of each window is lost. */
const piecesOfAWindow = 200;

/** Length of one piece of a window. */
export function pieceMsOf(windowMs: number): number {
  return windowMs / piecesOfAWindow;
}

/** Requests this close to the end of a month count in both months, because clocks differ and requests are in flight. */
const turnMs = 90_000;

/** Longer than any request: while one process probes, no other does. */
const probeMs = 90_000;

/** Interval, over all processes, of probes for a raised quota. */
const recheckMs = 60 * 60_000;

/** Maximum difference between clocks of processes; a later time stamp comes from a wrong clock. */
const clockErrorMs = 60_000;
