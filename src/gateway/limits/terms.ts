import type { SpendCaps } from '../../base/model/index.ts';
import { type BonusOffer, monthlyQuotaOn, type Subscription } from '../../source/listings/index.ts';

/** The limits of a listing, as configured. */
export interface ListingLimits {
  readonly host: string;
  /** 0: unlimited. */
  readonly requestsPerSecond: number;
  /** 0: unlimited; null: while the upstream's headers say that something is left. */
  readonly monthlyQuota: number | null;
  /** Limits over a minute, an hour, a day. */
  readonly windows: readonly LimitWindow[];
  /** What a request counts against the limits, by endpoint; those that are not named count once. */
  readonly weights: Readonly<Record<string, number>>;
  /** Units of the month kept back for health probes and for finishing what is open; null: a hundredth, 500 at most. */
  readonly reserve: number | null;
  readonly subscription: Subscription;
  readonly bonusOffer: BonusOffer | null;
  readonly keyVariable: string;
  /** Read anew for each request: it may be replaced while the program runs. */
  readonly key: { reveal(): string };
}

/** So many units in any so many milliseconds. */
export interface LimitWindow {
  readonly windowMs: number;
  readonly units: number;
}

export type Stage = 'taxonomy' | 'listing' | 'details' | 'other';

/** The stage of a run to which an endpoint's requests belong. */
export function stageOf(endpoint: string): Stage {
  if (endpoint.endsWith('-taxonomy')) return 'taxonomy';
  if (endpoint.endsWith('-category-page')) return 'listing';
  return endpoint.endsWith('-product-details') ? 'details' : 'other';
}

/** The month's limit on a day; null: none of ours. */
export function monthLimit(limits: ListingLimits, on: Date): number | null {
  const { subscription, bonusOffer: offer, monthlyQuota: told } = limits;
  return monthlyQuotaOn(on.toISOString().slice(0, 10), subscription, { offer, told }) || null;
}

/** Units of the month that only health probes and what is open may use. */
export function reserveOf({ reserve }: Pick<ListingLimits, 'reserve'>, limit: number): number {
  return Math.min(reserve ?? Math.min(Math.floor(limit / 100), 500), limit);
}

/**
 * A reservation that is not used for so long is returned: its request would fall into a window that does not know of
 * it.
 */
export function holdMs({ windows }: Pick<ListingLimits, 'windows'>): number {
  return windows.length > 0 ? 600 : 30_000;
}

/** Slots are reserved no further ahead: they are lost with a killed process, and other processes wait for theirs. */
function aheadMs({ windows }: Pick<ListingLimits, 'windows'>): number {
  return windows.length > 0 ? 300 : 2_000;
}

/** What a process may reserve beyond what waits, at most: the rest is returned when it is idle. */
export function surplusOf(limits: ListingLimits, { on, caps }: { on: Date; caps: SpendCaps | null }): number {
  if (limits.windows.length > 0 || caps !== null) return 0;
  return monthLimit(limits, on) === null ? 256 : 16;
}

/** What `ops.reserve` and `ops.settle` go by. */
export function termsOf(limits: ListingLimits, { on, caps }: { on: Date; caps: SpendCaps | null }): string {
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
    caps,
    stages: caps && stages,
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

/** How long a stop lasts whose end is not known. */
export const stopMs = {
  /** A total outage costs two requests a minute. */
  failing: 30_000,
  /** The key may have been replaced, or the subscription bought. */
  key_refused: 5 * 60_000,
  /** The upstream did not say when its quota turns. */
  quota: 60 * 60_000,
};

/**
 * A listing is stopped after so many questions that failed without a success between them. Neither a passing burst nor
 * one page that fails every time gets there. A category that fails as a whole does; a health probe then ends the stop.
 */
export const failuresToStop = 20;

export type WindowName = 'minute' | 'hour' | 'day';

export function windowName(windowMs: number): WindowName {
  if (windowMs < 3_600_000) return 'minute';
  return windowMs < 86_400_000 ? 'hour' : 'day';
}

/** Sustained use loses a piece of every window: half a percent. */
const piecesOfAWindow = 200;

/** How long one piece of a window is. */
export function pieceMsOf(windowMs: number): number {
  return windowMs / piecesOfAWindow;
}

/**
 * As a month turns, a request of so long before or after counts in both: clocks differ, and requests are on their way.
 */
const turnMs = 90_000;

/** Longer than any request takes: while one process probes, no other does. */
const probeMs = 90_000;

/** How often, over all processes, one request probes whether a used-up quota has been raised. */
const recheckMs = 60 * 60_000;

/** Clocks of processes differ by so much; what was noted later than that from now was noted by a wrong one. */
const clockErrorMs = 60_000;

const stages: Readonly<Record<string, readonly string[]>> = {
  taxonomy: ['uk-taxonomy', 'ie-taxonomy'],
  listing: ['uk-category-page', 'ie-category-page'],
  details: ['uk-product-details', 'ie-product-details'],
};
