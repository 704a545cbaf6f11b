import type { Classification } from './classify.ts';
import { clampWait, longestWaitMs } from './quota.ts';

/** A number in [0, 1). */
export type Random = () => number;

/** Tries in all for one question before the caller hears of a failure; the queue tries again later. */
const attemptsPerQuestion = 3;
/** A status we do not know gets one more try: it may be a passing edge page. */
const attemptsOnUnknown = 2;
/** A worker waits no longer than this by itself; longer waits are the queue's. */
export const longestWorkerWaitMs = 60_000;

const firstBackoffMs = 1_000;
const longestBackoffMs = 30_000;

/**
 * Wait before the next try after `failures` failures (1 for the first): full jitter over an exponential ceiling, so
 * that many workers which failed together do not come back together. What the server asked for is waited at least.
 */
export function backoffMs(failures: number, random: Random, retryAfterMs: number | null = null): number {
  const ceiling = Math.min(firstBackoffMs * 2 ** Math.min(failures - 1, 20), longestBackoffMs);
  const jittered = random() * ceiling;
  return retryAfterMs === null ? jittered : retryAfterMs + jittered;
}

/**
 * Wait after `refusals` refusals in a row for going too fast (1 for the first): what the server says, otherwise a
 * little more than the window it named, doubling while it goes on; up to half as much again by chance, so that waiters
 * spread.
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

/** How long to wait before asking the same question again; null: no more. One per question. */
type RetryPolicy = (classification: Exclude<Classification, { kind: 'ok' }>) => number | null;

/** How many failed requests may be tried again at once. When much fails, each further try is paid for nothing. */
interface RetryBudget {
  succeeded(): void;
  /** Takes one retry from the budget; false when there is none. */
  take(): boolean;
}

/** Retries may be a tenth of the successes, and a few at any time. */
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

/** Failures cost attempts and budget; an answer that asks for a slower pace costs only time, and that is bounded. */
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
