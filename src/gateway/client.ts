import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointMissing, UpstreamUnavailable } from '../base/errors.ts';
import { type AttemptNeeds, createAttempt } from './attempt.ts';
import { failureOf } from './failure.ts';
import type { Answer, Gateway, Question } from './gateway.ts';
import { createRetryBudget, createRetryPolicy, type Random } from './retry.ts';

export interface GatewayNeeds extends AttemptNeeds {
  /** Called before each retry, with the delay and the reason. */
  readonly onRetry?: (retry: { question: Question; waitMs: number; reason: string }) => void;
  readonly random?: Random;
}

/**
 * Creates a gateway that retries failed requests within the limits, until there is an answer or retrying is pointless.
 */
export function createGateway(needs: GatewayNeeds): Gateway {
  const { random = Math.random, onRetry } = needs;
  const closing = new AbortController();
  const attempts = createAttempt(needs, closing.signal);
  const budget = createRetryBudget();
  /** Index of the path that the gateway knows, by endpoint. */
  const knownPaths = new Map<string, number>();

  return {
    async ask(question, { signal } = {}) {
      for (let at = knownPaths.get(question.endpoint) ?? 0; ; at++) {
        try {
          const answer = await askAt(question.paths[at]!, question, signal);
          knownPaths.set(question.endpoint, at);
          return answer;
        } catch (error) {
          if (!(error instanceof EndpointMissing) || at + 1 >= question.paths.length) throw error;
        }
      }
    },

    async close() {
      closing.abort(new Error('the gateway client is closed'));
      await attempts.close();
    },
  };

  async function askAt(path: string, question: Question, signal: AbortSignal | undefined): Promise<Answer> {
    const retryPolicy = createRetryPolicy(budget, random);
    let failure: Error | null = null;
    for (;;) {
      const {
        classification,
        payload,
        latencyMs = 0,
        cause,
      } = await attempts
        .attempt(path, question, { signal, isAgain: failure !== null })
        // If other failures have stopped the listing meanwhile, report this request's own failure.
        .catch((error) => {
          throw failure && error instanceof UpstreamUnavailable && error.isHeldBack ? failure : error;
        });
      if (classification.kind === 'ok') {
        budget.succeeded();
        return { payload: payload!, body: classification.body, latencyMs };
      }

      failure = failureOf(classification, {
        where: `${question.listing} (${question.endpoint})`,
        listing: question.listing,
        keyVariable: needs.listings[question.listing].keyVariable,
        status: payload?.status ?? null,
        cause,
      });
      const waitMs = retryPolicy(classification);
      if (waitMs === null) throw failure;
      onRetry?.({ question, waitMs, reason: 'what' in classification ? classification.what : 'too many requests' });
      const hangUp = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      await sleep(waitMs, undefined, { signal: hangUp }).catch(() => hangUp.throwIfAborted());
    }
  }
}
