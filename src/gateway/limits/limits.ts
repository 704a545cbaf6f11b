import type { Subscription } from '../../source/listings/index.ts';

/** The limits of a listing, as configured. */
export interface ListingLimits {
  readonly host: string;
  /** Name under which its requests are counted, if different from its own. */
  readonly account?: string;
  /** 0: unlimited. */
  readonly requestsPerSecond: number;
  /** 0: unlimited; null: as the upstream's headers say. */
  readonly monthlyQuota: number | null;
  /** Limits per minute, hour and day. */
  readonly windows: readonly LimitWindow[];
  readonly subscription: Subscription;
  readonly keyVariable: string;
  /** Read for each request, because it may be replaced while the program runs. */
  readonly key: { reveal(): string };
}

/** Maximum requests in any interval of `windowMs`. */
export interface LimitWindow {
  readonly windowMs: number;
  readonly units: number;
}

/** Whether nothing but the upstream's headers limits the requests, so that they may be reserved in blocks. */
export function isUnlimited({ requestsPerSecond, windows, monthlyQuota }: ListingLimits): boolean {
  return requestsPerSecond === 0 && windows.length === 0 && !monthlyQuota;
}

/** How long a permission without a slot may be kept: its window counts it that much longer. */
export function holdMs({ windows }: Pick<ListingLimits, 'windows'>): number {
  return windows.length > 0 ? 600 : 10_000;
}

/**
 * How late a request may use its slot. Slots lie `spreadMs` a second further apart than they have to; what remains of
 * it is for the network and the clocks.
 */
export const latenessMs = 12;
const spreadMs = 20;

/** Longer than any request: while one process probes, no other does. */
const probeMs = 90_000;

/** Limits as JSON for `ops.reserve`. */
export function termsOf(limits: ListingLimits): string {
  const { host, requestsPerSecond, subscription } = limits;
  const windows = windowsOf(limits);
  return JSON.stringify({
    host,
    per_second: requestsPerSecond,
    gap_ms: requestsPerSecond > 0 ? (1_000 + spreadMs) / requestsPerSecond : null,
    windows,
    per_month: limits.monthlyQuota || null,
    month_day: Number(subscription.startedOn?.slice(8) ?? 1),
    hold_ms: holdMs(limits),
    // A killed process loses its slots, and others wait for theirs.
    ahead_ms: windows.length > 0 ? 300 : 1_000,
    probe_ms: probeMs,
  });
}

/** The configured limits: `month`, `minute`, `hour`, `day`. */
export function limitsOf(limits: ListingLimits) {
  const perMonth = limits.monthlyQuota || null;
  return [...(perMonth === null ? [] : [{ name: 'month', requests: perMonth }]), ...windowsOf(limits)];
}

function windowsOf({ windows }: ListingLimits) {
  return windows.map(({ windowMs: ms, units: requests }) => ({
    name: ms < 3_600_000 ? 'minute' : ms < 86_400_000 ? 'hour' : 'day',
    ...{ ms, requests },
    // At full use, one piece of each window is lost.
    piece_ms: ms / 200,
  }));
}

/** `the monthly quota of 500 requests is`, for messages. */
export function limitWords(name: string, limits: ListingLimits): string {
  if (name === 'month') return `the monthly quota of ${limits.monthlyQuota} requests is`;
  if (name === 'budget') return 'the number of requests of the run is';
  if (name === 'quota_used_up') return 'the quota, according to the upstream, is';
  return `the requests of ${name === 'hour' ? 'an' : 'a'} ${name} are`;
}
