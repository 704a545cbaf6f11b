import {
  ArchiveFull,
  BudgetExhausted,
  RateLimited,
  ServerUnable,
  ServerUnreachable,
  UpstreamUnavailable,
} from '../../base/errors.ts';

/** Before an upstream or a server that could not serve is tried again. */
const outageMs = 30_000;

/** Before anybody looks whether a person has acted: a key replaced, a quota raised, an address corrected. */
const personMs = 60 * 60_000;

/**
 * Until when a run waits that was paused for this reason. Every pause ends: a run that waits for ever holds up its
 * region's nights.
 */
export function pausedUntil(why: Error, now: Date): Date {
  const from = (ms: number) => new Date(now.getTime() + ms);
  if (why instanceof BudgetExhausted) {
    if (why.until === null) return from(personMs);
    const turns = later(why.until, from(outageMs));
    // The plan may be changed before, or another key put in.
    return why.isOfKey ? earlier(turns, from(personMs)) : turns;
  }
  if (why instanceof RateLimited) return later(from(why.retryAfterMs), from(outageMs));
  const isOutage = [UpstreamUnavailable, ServerUnreachable, ServerUnable, ArchiveFull].some(
    (kind) => why instanceof kind,
  );
  return from(isOutage ? outageMs : personMs);
}

/**
 * True while a run waits for a limit, an upstream or a person. Afterwards one request, the probe, finds out whether it
 * still must.
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
