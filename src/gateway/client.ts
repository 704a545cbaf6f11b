import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { RequestFailed } from '../base/errors.ts';
import { type Attempt, type AttemptNeeds, createAttempts } from './attempt.ts';
import { requestTarget } from './exchange.ts';
import type { Answer, Gateway, Question } from './gateway.ts';
import { maxWaitMs } from './limits/gate.ts';
import { createGates, type GatesNeeds } from './limits/gates.ts';
import { policy } from './policy.ts';

export type GatewayNeeds = AttemptNeeds & GatesNeeds;

/** A gateway that repeats failed requests as the policy allows. */
export function createGateway(needs: GatewayNeeds): Gateway {
  const { listings, clock } = needs;
  const closing = new AbortController();
  // Each request under way listens to it.
  setMaxListeners(0, closing.signal);
  const attempts = createAttempts(needs, closing.signal);
  const gates = createGates(needs, attempts.send);
  /** One queue per listing: a listing that waits for its rate must not block the others. */
  const lanes = new Map<string, LimitFunction>();
  const underWay = new Set<Promise<unknown>>();
  /** The path that the gateway knows, by endpoint. */
  const knownPaths = new Map<string, string>();

  return {
    async ask(question, { signal, waiting } = {}) {
      const hangUp = AbortSignal.any([signal, waiting, closing.signal].filter((each) => each !== undefined));
      const known = knownPaths.get(question.endpoint);
      const paths = known === undefined ? question.paths : [known, ...question.paths.filter((path) => path !== known)];
      for (const [i, path] of paths.entries()) {
        try {
          const answer = await askAt(path, question, hangUp, signal);
          knownPaths.set(question.endpoint, path);
          return answer;
        } catch (error) {
          if ((error as RequestFailed).kind !== 'endpoint_missing' || i === paths.length - 1) throw error;
        }
      }
      throw new TypeError('a question has at least one path');
    },

    write: gates.write,

    async close() {
      closing.abort(new Error('the gateway client is closed'));
      await attempts.close();
      await Promise.allSettled(underWay);
      await gates.close();
    },
  };

  async function askAt(path: string, question: Question, hangUp: AbortSignal, signal?: AbortSignal): Promise<Answer> {
    const { listing, endpoint, query } = question;
    const { baseUrl, keyVariable } = listings[listing];
    if (baseUrl === null) {
      const what = `the ${listing} listing is not configured; set its BASE_URL`;
      throw new RequestFailed('refused', { where: endpoint, what });
    }
    for (let tries = 1; ; tries += 1) {
      const attempt = await askOnce(question, requestTarget(path, query), hangUp, signal);
      const { classification, payload, latencyMs = 0, cause } = attempt;
      if (classification.kind === 'ok') {
        const { kind: _, ...read } = classification;
        return { payload: payload!, ...read, latencyMs };
      }
      const { kind, what, waitMs: askedForMs } = classification;
      const { retries, stop } = policy[kind];
      // What stops the listing at once is waited for in the gate; the rest, for up to a second.
      const isWaitedFor = kind === 'unsent' || stop?.after === 1;
      const waitMs = isWaitedFor ? 0 : Math.max(askedForMs ?? 0, Math.random() * 1_000);
      if (tries > retries || waitMs > maxWaitMs) {
        const where = kind === 'denied' ? `the ${listing} listing` : `${listing} (${endpoint})`;
        const until = kind === 'quota' && askedForMs !== null ? new Date(clock.now().getTime() + askedForMs) : null;
        throw new RequestFailed(kind, { where, what, until, payload, keyVariable, cause });
      }
      await sleep(waitMs, undefined, { signal: hangUp }).catch(() => hangUp.throwIfAborted());
    }
  }

  /** Sends one request, and says what became of it. */
  function askOnce(question: Question, target: string, hangUp: AbortSignal, signal?: AbortSignal): Promise<Attempt> {
    const { listing, runId } = question;
    const lane = lanes.get(listing) ?? pLimit(needs.concurrency);
    lanes.set(listing, lane);
    const asking = lane(async () => {
      const gate = gates.of(listing, runId);
      const permit = await gate.pass(hangUp);
      return attempts.send({ gate, permit, question, target, signal });
    });
    underWay.add(asking);
    return asking.finally(() => underWay.delete(asking));
  }
}
