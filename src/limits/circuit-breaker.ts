import type { Quota } from '../gateway/quota.ts';
import type { Outcome } from '../gateway/spend.ts';

/** How a listing is doing. All states but `ok` stop every process until `pausedUntil`; then one request sees whether it is over. */
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
}

/** An answer, or the lack of one. `isTrial`: it was let through a stop, to see. */
export interface BreakerEvent {
  readonly outcome: Outcome;
  readonly at: Date;
  readonly isTrial: boolean;
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
export function nextBreaker(health: CircuitBreaker, { outcome, at, isTrial }: BreakerEvent): CircuitBreaker {
  const seen = outcome.quota ? { ...health, quota: outcome.quota, quotaSeenAt: at } : health;
  const until = (ms: number) => new Date(at.getTime() + ms);
  const failed = { ...seen, lastErrorAt: at, lastError: outcome.what ?? outcome.kind };
  switch (outcome.kind) {
    case 'ok':
    case 'refused': {
      // Answers about the question show that key, quota and upstream are in order. One that was on its way when the listing
      // was stopped proves nothing about now.
      const reached = { ...seen, failuresInARow: 0, lastOkAt: at };
      return isTrial ? { ...reached, state: 'ok', pausedUntil: null } : reached;
    }
    case 'failed': {
      // The limit or the key that stopped us is the reason to tell of, not what failed since.
      if (seen.state === 'quota' || (seen.state === 'denied' && !isTrial)) return seen;
      // Nobody refused the key this time: what was known of it is stale, and this is a failure like any other.
      if (seen.state === 'denied') return { ...failed, state: 'ok', pausedUntil: null, failuresInARow: 1 };
      const failuresInARow = seen.failuresInARow + (outcome.isAgain ? 0 : 1);
      return failuresInARow >= failuresToStop
        ? { ...failed, failuresInARow, state: 'failing', pausedUntil: until(pauseMs.failing) }
        : { ...failed, failuresInARow };
    }
    case 'denied':
      return { ...failed, state: 'denied', pausedUntil: until(pauseMs.denied) };
    case 'quota':
      return { ...failed, state: 'quota', pausedUntil: outcome.until ?? until(pauseMs.quota) };
    case 'rate_limited':
    case 'aborted':
      return seen;
  }
}
