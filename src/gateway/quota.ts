/** The quota according to a response's headers. */
export interface Quota {
  readonly limit: number;
  readonly remaining: number;
  readonly resetsAt: Date | null;
}

export type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the quota of the marketplace, or Kong's monthly and daily counters; null if no header is usable. */
export function readQuota(headers: Headers, now: Date): Quota | null {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()];
  const dateAfter = (ms: number | null) => (ms === null ? null : new Date(now.getTime() + ms));
  const read = (name: string, remaining: string, resetsAt: Date | null): Quota | null => {
    const [limit, left] = [smallest(headers[name]), smallest(headers[remaining])];
    if (limit === null || limit <= 0 || left === null) return null;
    return { limit: Math.min(limit, largest), remaining: Math.min(Math.max(left, 0), largest), resetsAt };
  };
  const readMarketplace = (kind: string) =>
    read(
      `x-ratelimit-${kind}-limit`,
      `x-ratelimit-${kind}-remaining`,
      dateAfter(readReset(headers[`x-ratelimit-${kind}-reset`], now)),
    );
  const quota =
    readMarketplace('requests') ??
    // Kong counts calendar months and days in UTC, and does not state when they end.
    read('x-ratelimit-limit-month', 'x-ratelimit-remaining-month', new Date(Date.UTC(year, month + 1))) ??
    read('x-ratelimit-limit-day', 'x-ratelimit-remaining-day', new Date(Date.UTC(year, month, day + 1)));
  // A second limit above the quota of free plans; the smaller remainder counts.
  const hardLimit = readMarketplace('rapid-free-plans-hard-limit');
  if (quota === null || hardLimit === null) return quota ?? hardLimit;
  return hardLimit.remaining < quota.remaining ? hardLimit : quota;
}

/**
 * Milliseconds until the time that a header states. Under the same name, vendors send remaining seconds (fractions,
 * zero and negative numbers occur), epoch seconds or epoch milliseconds, which differ only in magnitude; or a date.
 */
export function readStated(header: Headers[string], now: Date): number | null {
  const text = single(header)?.trim() ?? '';
  const value = Number(text || Number.NaN);
  const ms = isDate.test(text)
    ? Date.parse(text) - now.getTime()
    : value < 1e8
      ? value * 1_000
      : (value < 1e11 ? value * 1_000 : value) - now.getTime();
  return Number.isFinite(ms) ? ms : null;
}

/** Milliseconds until a window begins anew; null if that is past or more than a year ahead. */
export function readReset(header: Headers[string], now: Date): number | null {
  const ms = readStated(header, now);
  return ms !== null && ms >= 0 && ms <= longestResetMs ? ms : null;
}

/** HTTP or ISO 8601 date. */
const isDate = /^[a-z]+, .* GMT$|^\d{4}-\d\d-\d\dT/i;

export const longestResetMs = 366 * 24 * 3_600_000;

/** Maximum of a PostgreSQL integer. */
const largest = 2_147_483_647;

/** The smallest number: proxies repeat headers or merge them (`100, 99`). */
function smallest(header: string | string[] | undefined): number | null {
  const texts = [header ?? []].flat().flatMap((each) => each.split(','));
  const numbers = texts.map((text) => text.trim()).filter((text) => /^-?\d{1,15}$/.test(text));
  return numbers.length === 0 ? null : Math.min(...numbers.map(Number));
}

/** The first of repeated or merged values; a comma inside a date is kept. */
function single(header: string | string[] | undefined): string | undefined {
  const first = Array.isArray(header) ? header[0] : header;
  return /^[\d\s.+-]+,/.test(first ?? '') ? first!.split(',')[0] : first;
}

/** Bounds of credible waits: shorter ones would cause a busy loop, longer ones need a user. */
export const shortestWaitMs = 500;
export const longestWaitMs = 15 * 60_000;

/** A wait of at least half a second. */
export function clampWait(ms: number, mostMs = longestWaitMs): number {
  return Math.min(Math.max(ms, shortestWaitMs), mostMs);
}
