import {
  ArchiveFull,
  BudgetExhausted,
  DestinationUnavailable,
  DestinationUnusable,
  RateLimited,
  ServerUnable,
  ServerUnreachable,
  UpstreamUnavailable,
} from '../../base/errors.ts';

/** Pause before a failing upstream or server is tried again. */
const outageMs = 30_000;

/** First pause for an upstream that fails; each further one in a row is twice as long, up to `outageMs`. */
const firstOutageMs = 5_000;

/** Causes that often end by themselves. */
const outages = [ServerUnreachable, ServerUnable, ArchiveFull, DestinationUnavailable, DestinationUnusable];

/** Pause before checking whether a user has fixed the cause: replaced a key, raised a quota, corrected an address. */
const personMs = 60 * 60_000;

/**
 * End of a pause with this cause, the `times`-th in a row. Every pause ends, because an endless one would block the
 * region's nights.
 */
export function pausedUntil(why: Error, now: Date, times = 1): Date {
  const from = (ms: number) => new Date(now.getTime() + ms);
  if (why instanceof BudgetExhausted) {
    if (why.until === null) return from(personMs);
    const turns = later(why.until, from(outageMs));
    // The plan or the key may be changed before the quota resets.
    return why.isOfKey ? earlier(turns, from(personMs)) : turns;
  }
  if (why instanceof RateLimited) return later(from(why.retryAfterMs), from(outageMs));
  if (why instanceof UpstreamUnavailable)
    return from(Math.max(why.retryAfterMs ?? 0, Math.min(firstOutageMs * 2 ** (times - 1), outageMs)));
  return from(outages.some((kind) => why instanceof kind) ? outageMs : personMs);
}

/**
 * Whether a run is paused now. After the pause, a single request (the probe) finds out whether the run can continue.
 */
export function isWaiting(
  { pausedFor, pausedUntil }: { readonly pausedFor: string | null; readonly pausedUntil: Date | null },
  now: Date,
): boolean {
  return pausedFor !== null && pausedUntil !== null && pausedUntil > now;
}

function earlier(one: Date, other: Date): Date {
  return one < other ? one : other;
}

function later(one: Date, other: Date): Date {
  return one > other ? one : other;
}
