import { setTimeout as sleep } from 'node:timers/promises';
import { EndpointMissing, UpstreamUnavailable } from '../base/errors.ts';
import { type AttemptNeeds, createAttempt } from './attempt.ts';
import { failureOf } from './failure.ts';
import type { Answer, Gateway, Question } from './gateway.ts';
import { rateHeadersIn } from './quota.ts';
import { createRetryBudget, createRetryPolicy, type Random } from './retry.ts';

export interface GatewayNeeds extends AttemptNeeds {
  /** Hears of every wait before asking again. */
  readonly onRetry?: (retry: { question: Question; waitMs: number; reason: string }) => void;
  readonly random?: Random;
}

/**
 * Asks the upstream: one attempt after the other, each within the limits, until there is an answer or no point in going
 * on.
 */
export function createGateway(needs: GatewayNeeds): Gateway {
  const { random = Math.random, onRetry } = needs;
  const closing = new AbortController();
  const attempts = createAttempt(needs, closing.signal);
  const budget = createRetryBudget();
  /** Which of an endpoint's paths the gateway knows, once one was found. */
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
        headers = {},
        latencyMs = 0,
        cause,
      } = await attempts
        .attempt(path, question, { signal, isAgain: failure !== null })
        // Others failed meanwhile, and nobody asks any more: this question failed by itself.
        .catch((error) => {
          throw failure && error instanceof UpstreamUnavailable && error.isHeldBack ? failure : error;
        });
      if (classification.kind === 'ok') {
        budget.succeeded();
        return { payload: payload!, body: classification.body, latencyMs, rateHeaders: rateHeadersIn(headers) };
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
      onRetry?.({ question, waitMs, reason: 'what' in classification ? classification.what : 'asked too fast' });
      const hangUp = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal;
      await sleep(waitMs, undefined, { signal: hangUp }).catch(() => hangUp.throwIfAborted());
    }
  }
}
