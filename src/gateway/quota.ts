/** The quota as a response's headers tell it. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date | null;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Those of an answer's headers that tell of limits. */
export function rateHeadersIn(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isRateHeader(name)));
}

export function isRateHeader(name: string): boolean {
  return /^(x-)?ratelimit|^retry-after$/i.test(name);
}

/** Reads `x-ratelimit-requests-*`, or Kong's monthly and daily counters; null when the headers say nothing usable. */
export function readQuota(headers: Headers, now: Date): Quota | null {
  for (const [limitName, remainingName, resetName] of headerNames) {
    const limit = wholeNumber(headers[limitName]);
    const remaining = wholeNumber(headers[remainingName]);
    if (limit === null || limit <= 0 || remaining === null) continue;
    return {
      limit: Math.min(limit, largest),
      remaining: Math.min(Math.max(remaining, 0), largest),
      resetsAt: resetName ? readReset(headers[resetName], now) : null,
    };
  }
  return null;
}

/**
 * When a window turns. Vendors write seconds to go, epoch seconds or epoch milliseconds under the same name, and differ by
 * magnitude only. null for nonsense and for anything further away than a year.
 */
export function readReset(header: string | string[] | undefined, now: Date): Date | null {
  const value = Number(single(header)?.trim() || Number.NaN);
  if (!Number.isFinite(value) || value < 0) return null;
  const atMs = value < 1e8 ? now.getTime() + value * 1_000 : value < 1e11 ? value * 1_000 : value;
  const aheadMs = atMs - now.getTime();
  return aheadMs >= 0 && aheadMs <= yearMs ? new Date(atMs) : null;
}

const headerNames = [
  ['x-ratelimit-requests-limit', 'x-ratelimit-requests-remaining', 'x-ratelimit-requests-reset'],
  ['x-ratelimit-limit-month', 'x-ratelimit-remaining-month', null],
  ['x-ratelimit-limit-day', 'x-ratelimit-remaining-day', null],
] as const;

const yearMs = 366 * 24 * 3_600_000;

/** What a PostgreSQL integer holds. */
const largest = 2_147_483_647;

function wholeNumber(header: string | string[] | undefined): number | null {
  const text = single(header)?.trim() ?? '';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
