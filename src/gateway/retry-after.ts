import type { Headers } from './quota.ts';

/** Waits outside these bounds are not believed: below, it would be a hot loop; above, a person should look. */
export const shortestWaitMs = 500;
export const longestWaitMs = 15 * 60_000;

/**
 * Milliseconds to wait by a `Retry-After` header: seconds (fractions, zero and negative ones occur) or an HTTP date.
 * Always within [0.5 s, 15 min]; null when the header is absent or unreadable.
 */
export function readRetryAfter(header: Headers[string], now: Date): number | null {
  const text = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!text) return null;
  const ms = /^[-+]?\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now.getTime();
  return Number.isNaN(ms) ? null : clampWait(ms);
}

export function clampWait(ms: number): number {
  return Math.min(Math.max(ms, shortestWaitMs), longestWaitMs);
}
