import type { Classification } from './classification.ts';
import {
  attemptsOnUnknown,
  attemptsPerQuestion,
  backoffMs,
  longestWorkerWaitMs,
  paceWaitMs,
  type Random,
} from './retry.ts';
import type { RetryBudget } from './retry-budget.ts';

/** How long to wait before asking the same question again; null: no more. One per question. */
export type RetryPolicy = (classification: Exclude<Classification, { kind: 'ok' }>) => number | null;

/** Failures cost attempts and budget; being told to slow down costs only time, and that is bounded. */
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
