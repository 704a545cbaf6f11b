import type { Classification } from './classify.ts';
import { clampWait, longestWaitMs } from './quota.ts';

/** A number in [0, 1). */
export type Random = () => number;

/** Attempts per request before an error is thrown; the ledger retries later. */
const attemptsPerQuestion = 3;
/** An unknown response gets one retry: it may be a transient error page of a proxy. */
const attemptsOnUnknown = 2;
/** Maximum wait inside a worker; longer waits pause the run. */
export const longestWorkerWaitMs = 60_000;

const firstBackoffMs = 1_000;
const longestBackoffMs = 30_000;

/**
 * Delay before the next attempt after `failures` failures (1 for the first): full jitter below an exponential bound, so
 * that workers which failed together do not retry together. Never shorter than the server's `Retry-After`.
 */
export function backoffMs(failures: number, random: Random, retryAfterMs: number | null = null): number {
  const ceiling = Math.min(firstBackoffMs * 2 ** Math.min(failures - 1, 20), longestBackoffMs);
  const jittered = random() * ceiling;
  return retryAfterMs === null ? jittered : retryAfterMs + jittered;
}

/**
 * Delay after `refusals` rate-limit responses in a row (1 for the first): the server's, otherwise slightly more than
 * the limit's window, doubling each time; plus up to 50% at random, to spread waiting workers.
 */
export function paceWaitMs(
  refusals: number,
  windowMs: number,
  random: Random,
  retryAfterMs: number | null = null,
): number {
  const base = retryAfterMs ?? Math.min(windowMs * 1.1 * 2 ** Math.min(refusals - 1, 20), longestWaitMs);
  return clampWait(base * (1 + random() / 2));
}

/** Delay before repeating a request; null: no more retries. One instance per request. */
type RetryPolicy = (classification: Exclude<Classification, { kind: 'ok' }>) => number | null;

/** Limits retries over all requests, because each one is wasted money during an outage. */
interface RetryBudget {
  succeeded(): void;
  /** Takes one retry from the budget; false if it is empty. */
  take(): boolean;
}

/** Allows retries for a tenth of the successes, plus a small initial number. */
export function createRetryBudget({ share = 0.1, floor = 20, most = 100 } = {}): RetryBudget {
  let saved = floor;
  return {
    succeeded() {
      saved = Math.min(saved + share, most);
    },
    take() {
      if (saved < 1) return false;
      saved -= 1;
      return true;
    },
  };
}

/** Failures cost attempts and budget; rate-limit responses cost only time, which is limited. */
export function createRetryPolicy(budget: RetryBudget, random: Random): RetryPolicy {
  let failures = 0;
  let refusals = 0;
  let waitedMs = 0;

  return (classification) => {
    switch (classification.kind) {
      case 'rate_limited': {
        refusals += 1;
        const waitMs = paceWaitMs(refusals, classification.windowMs, random, classification.retryAfterMs);
        waitedMs += waitMs;
        return waitedMs <= longestWorkerWaitMs ? waitMs : null;
      }
      case 'unavailable':
        return afterFailure(attemptsPerQuestion, classification.retryAfterMs);
      case 'unknown':
        return afterFailure(attemptsOnUnknown, null);
      default:
        return null;
    }
  };

  function afterFailure(mostAttempts: number, retryAfterMs: number | null): number | null {
    failures += 1;
    const waitMs = backoffMs(failures, random, retryAfterMs);
    return failures < mostAttempts && waitMs <= longestWorkerWaitMs && budget.take() ? waitMs : null;
  }
}
