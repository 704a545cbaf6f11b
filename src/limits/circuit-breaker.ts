import type { Quota } from '../gateway/quota.ts';
import type { Outcome } from '../gateway/spend.ts';

/**
 * How a listing is doing. All states but `ok` stop processes until `pausedUntil`; then one request sees whether it is over. A used-up
 * quota and a refusal stop those with that key only.
 */
export interface CircuitBreaker {
  readonly state: 'ok' | 'quota' | 'denied' | 'failing';
  readonly pausedUntil: Date | null;
  readonly failuresInARow: number;
  readonly lastOkAt: Date | null;
  readonly lastErrorAt: Date | null;
  /** One line, without a key. */
  readonly lastError: string | null;
  /** As the headers said last, and when. */
  readonly quota: Quota | null;
  readonly quotaSeenAt: Date | null;
  /** Print of the key whose quota is told of or used up; null: not known. */
  readonly quotaKey: string | null;
  /** By print, the keys that were refused and not answered since. */
  readonly refusedKeys: RefusedKeys;
}

/** When a key was refused, until when it is not sent again, and what was said; instants in ISO 8601. */
export type RefusedKeys = Readonly<
  Record<string, { readonly at: string; readonly until: string; readonly what: string | null }>
>;

/** An answer, or the lack of one. `isTrial`: it was let through a stop, to see. */
export interface BreakerEvent {
  readonly outcome: Outcome;
  readonly at: Date;
  readonly isTrial: boolean;
  /** Print of the key it was asked with. */
  readonly key?: string | null;
}

export const closedBreaker: CircuitBreaker = {
  state: 'ok',
  pausedUntil: null,
  failuresInARow: 0,
  lastOkAt: null,
  lastErrorAt: null,
  lastError: null,
  quota: null,
  quotaSeenAt: null,
  quotaKey: null,
  refusedKeys: {},
};

/**
 * After so many questions that failed without a success between them the listing is left alone; neither a passing burst nor
 * one page that fails every time gets there. A category that fails as a whole does: a health probe (health-probe.ts) then opens
 * the listing again.
 */
export const failuresToStop = 20;

const pauseMs = {
  /** A total outage costs two requests a minute. */
  failing: 30_000,
  /** The key may have been replaced, or the subscription bought. */
  denied: 5 * 60_000,
  /** When nobody says when the quota turns. */
  quota: 60 * 60_000,
};

/** The health after one more answer. */
export function nextBreaker(
  before: CircuitBreaker,
  { outcome, at, isTrial, key: asked }: BreakerEvent,
): CircuitBreaker {
  const key = asked ?? '';
  const isStopOfOther = isOfOther(before, key);
  const kept = { ...before, refusedKeys: withUsedUpKey(before, key, outcome, at) };
  const health = isStopOfOther && tellsOfListing(outcome) ? { ...kept, ...open } : kept;
  const seen = outcome.quota ? { ...health, quota: outcome.quota, quotaSeenAt: at, quotaKey: key } : health;
  const until = (ms: number) => new Date(at.getTime() + ms);
  const failed = { ...seen, lastErrorAt: at, lastError: outcome.what ?? outcome.kind };
  const isRefused = seen.refusedKeys[key] !== undefined;
  switch (outcome.kind) {
    case 'ok':
    case 'refused': {
      // Answers about the question show that key, quota and upstream are in order. One that was on its way when the listing
      // was stopped proves nothing about now.
      const reached = { ...seen, failuresInARow: 0, lastOkAt: at };
      if (!isTrial) return reached;
      const quota = outcome.quota || seen.quota?.remaining !== 0 ? seen.quota : null;
      return { ...reached, ...open, quota, refusedKeys: without(seen.refusedKeys, key) };
    }
    case 'failed': {
      // The limit or the key that stopped us is the reason to tell of, not what failed since.
      if (seen.state === 'quota' || (isRefused && !isTrial)) return seen;
      // Nobody refused the key this time: what was known of it is stale, and this is a failure like any other.
      const refusedKeys = without(seen.refusedKeys, key);
      if (seen.state === 'denied') return { ...failed, ...open, failuresInARow: 1, refusedKeys };
      const failuresInARow = seen.failuresInARow + (outcome.isAgain ? 0 : 1);
      return failuresInARow >= failuresToStop
        ? { ...failed, failuresInARow, refusedKeys, state: 'failing', pausedUntil: until(pauseMs.failing) }
        : { ...failed, failuresInARow, refusedKeys };
    }
    case 'denied': {
      const refusal = { at: at.toISOString(), until: until(pauseMs.denied).toISOString(), what: outcome.what ?? null };
      const refusedKeys = { ...recent(seen.refusedKeys, at), [key]: refusal };
      // What stops another key is not over because this one is refused.
      if (seen.state === 'quota' && isStopOfOther) return { ...seen, refusedKeys };
      return { ...failed, state: 'denied', pausedUntil: until(pauseMs.denied), refusedKeys };
    }
    case 'quota':
      return { ...failed, state: 'quota', pausedUntil: outcome.until ?? until(pauseMs.quota), quotaKey: key };
    case 'rate_limited':
    case 'aborted':
    case 'unsent':
      return seen;
  }
}

/** What is said of a key that is kept back because its quota is used up. */
export const quotaUsedUp = 'the quota of this key is used up';

const open = { state: 'ok', pausedUntil: null } as const;

/** Whether what stops the listing was said to another key. */
function isOfOther({ state, quotaKey, refusedKeys }: CircuitBreaker, key: string): boolean {
  if (state === 'denied') return refusedKeys[key] === undefined;
  return state === 'quota' && quotaKey !== null && quotaKey !== key;
}

function tellsOfListing({ kind }: Outcome): boolean {
  return kind !== 'denied' && kind !== 'aborted' && kind !== 'unsent';
}

/**
 * An answer to one key takes the place of what is known of another's quota. Where that is used up its key is kept back as one that was
 * refused, and asks once an hour.
 */
function withUsedUpKey(
  { state, pausedUntil, quota, quotaSeenAt, quotaKey, refusedKeys }: CircuitBreaker,
  key: string,
  outcome: Outcome,
  at: Date,
): RefusedKeys {
  if (quotaKey === null || quotaKey === key) return refusedKeys;
  const isStopped = state === 'quota' && tellsOfListing(outcome) && (pausedUntil === null || pausedUntil > at);
  const resetsAt = quota?.resetsAt ?? (quotaSeenAt && new Date(quotaSeenAt.getTime() + pauseMs.quota));
  const isReplaced = outcome.quota !== undefined && quota !== null && quota.remaining <= 0;
  if (!isStopped && !(isReplaced && (!resetsAt || resetsAt > at))) return refusedKeys;
  const until = new Date(at.getTime() + pauseMs.quota).toISOString();
  return { ...refusedKeys, [quotaKey]: { at: at.toISOString(), until, what: quotaUsedUp } };
}

function without(refused: RefusedKeys, key: string): RefusedKeys {
  const { [key]: _, ...others } = refused;
  return others;
}

/** A key that nobody has tried again for a day is not in use. */
function recent(refused: RefusedKeys, at: Date): RefusedKeys {
  return Object.fromEntries(
    Object.entries(refused).filter(([, { until }]) => at.getTime() - Date.parse(until) < 86_400_000),
  );
}
