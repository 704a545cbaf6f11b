import { hash } from 'node:crypto';
import pLimit, { type LimitFunction } from 'p-limit';
import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import { QuestionInvalid } from '../base/errors.ts';
import type { ListingName, Payload } from '../base/model/index.ts';
import { type Classification, classify, type Received } from './classify.ts';
import { ExchangeFailed, exchange, requestTarget, TooLate } from './exchange.ts';
import { outcomeOf } from './failure.ts';
import type { Question } from './gateway.ts';
import { connectTo } from './origin.ts';
import { type Headers, readQuota } from './quota.ts';
import { paceWaitMs } from './retry.ts';
import type { Spend } from './spend.ts';
import { bodyWithoutKey, withoutKey } from './without-key.ts';

/** Configuration of a listing as the gateway uses it. */
interface GatewayListing {
  /** Without a trailing slash; null: not configured. */
  readonly baseUrl: string | null;
  readonly host: string;
  readonly key: { reveal(): string };
  readonly keyVariable: string;
  /** Prefix of its gateway's header names, if different from the default. */
  readonly headerPrefix?: string;
  /** Whether private addresses are allowed, because the configuration names one. */
  readonly local: boolean;
}

/** Base URL and host header of a listing, which always change together. */
export type GatewayAddress = Pick<GatewayListing, 'baseUrl' | 'host' | 'local'>;

export interface AttemptNeeds {
  /** Current address of a listing, if it may move while the program runs; default: its configured address. */
  readonly addressOf?: (listing: ListingName) => Promise<GatewayAddress>;
  readonly listings: Readonly<Record<ListingName, GatewayListing>>;
  readonly headerPrefix: string;
  readonly concurrency: number;
  /** From the start of the request to its last byte; default: 60 s. */
  readonly timeoutMs?: number;
  readonly spend: Spend;
  readonly clock: Clock;
  readonly onUnreadable?: (payload: Payload) => Promise<void>;
}

interface AttemptOptions {
  readonly signal: AbortSignal | undefined;
  /** Whether this request repeats one that has just failed. */
  readonly isAgain: boolean;
}

/** Result of one request. `payload` is null if no response was received. */
export interface Attempt {
  readonly classification: Classification;
  readonly payload: Payload | null;
  readonly headers?: Headers;
  /** From the request to the last byte of its answer. */
  readonly latencyMs?: number;
  readonly cause?: unknown;
}

/**
 * Sends one request per call: reserve, send, classify, settle. Throws only if the request may not be sent or is
 * aborted.
 */
export function createAttempt(needs: AttemptNeeds, closing: AbortSignal) {
  const { spend, clock } = needs;
  const lines = new Map<ListingName, Line>();
  const destinations = new Map<string, Destination>();
  const underWay = new Set<Promise<Attempt>>();

  return {
    async attempt(path: string, question: Question, options: AttemptOptions): Promise<Attempt> {
      const line = lineTo(question);
      // The concurrency slot comes first and the reservation last, so that a reserved request is sent at once.
      return line.limit(async () => {
        options.signal?.throwIfAborted();
        closing.throwIfAborted();
        const trying = tryInTime(line, path, question, options);
        underWay.add(trying);
        return trying.finally(() => underWay.delete(trying));
      });
    },

    /** Resolves when all requests in progress are settled. */
    async close(): Promise<void> {
      await Promise.all([...destinations.values()].map(({ origin }) => origin.destroy()));
      await Promise.allSettled(underWay);
    },
  };

  /** Retries if connecting took longer than the reservation is valid; the next attempt finds the connection open. */
  async function tryInTime(line: Line, path: string, question: Question, options: AttemptOptions): Promise<Attempt> {
    for (let tries = 1; ; tries++) {
      try {
        return await tryOnce(line, path, question, options);
      } catch (error) {
        if (!(error instanceof TooLate)) throw error;
        if (tries >= mostTooLate) {
          const what = 'this machine is too busy to send requests on time';
          return { classification: { kind: 'unavailable', what, retryAfterMs: null }, payload: null, cause: error };
        }
      }
    }
  }

  async function tryOnce(
    line: Line,
    path: string,
    question: Question,
    { signal, isAgain }: AttemptOptions,
  ): Promise<Attempt> {
    const reservation = await spend.reserve(question, signal ? { signal } : {});
    if (closing.aborted) {
      await spend.settle(reservation, { kind: 'unsent' });
      throw closing.reason;
    }
    // Resolved late, because the reservation may have waited and the listing may have moved meanwhile.
    const { host, origin, basePath } = await destinationOf(question).catch(async (error) => {
      await spend.settle(reservation, { kind: 'unsent' });
      throw error;
    });
    const target = requestTarget(path, question.query);
    const key = line.listing.key.reveal();
    let received: Received;
    let sentAtMs = performance.now();
    let mayBeOut = false;
    try {
      const given = await exchange(origin, {
        path: basePath + target,
        headers: headersFor(line.listing, host, key),
        signal,
        maySend: () => {
          sentAtMs = performance.now();
          mayBeOut = spend.sent(reservation);
          return mayBeOut;
        },
        ...(needs.timeoutMs === undefined ? {} : { totalLimitMs: needs.timeoutMs }),
      });
      received = { ...given, bytes: bodyWithoutKey(given.bytes, key) };
    } catch (error) {
      if (closing.aborted || !(error instanceof ExchangeFailed)) {
        await spend.settle(reservation, { kind: mayBeOut ? 'aborted' : 'unsent' });
        throw error;
      }
      const what = withoutKey(error.message, key);
      await spend.settle(reservation, { kind: 'failed', what, isAgain, tookMs: performance.now() - sentAtMs });
      return { classification: { kind: 'unavailable', what, retryAfterMs: null }, payload: null, cause: error };
    }

    const receivedAt = clock.now();
    const latencyMs = Math.round(performance.now() - sentAtMs);
    const payload = asPayload(question, host, target, received, receivedAt);
    const classification = withoutKeyIn(classify(received, receivedAt), key);
    await spend.settle(reservation, {
      kind: outcomeOf[classification.kind],
      isAgain,
      tookMs: latencyMs,
      quota: readQuota(received.headers, receivedAt),
      ...('what' in classification ? { what: classification.what } : {}),
      ...(classification.kind === 'quota' ? { until: classification.until } : {}),
      ...(classification.kind === 'rate_limited'
        ? { retryAfterMs: paceWaitMs(1, classification.windowMs, () => 0, classification.retryAfterMs) }
        : {}),
    });
    if (payload.status === 200 && classification.kind !== 'ok') await needs.onUnreadable?.(payload);
    return { classification, payload, headers: received.headers, latencyMs };
  }

  function lineTo({ listing: name, endpoint }: Question): Line {
    const open = lines.get(name);
    if (open) return open;
    const listing = needs.listings[name];
    if (listing.baseUrl === null)
      throw new QuestionInvalid(endpoint, `the ${name} listing is not configured; set its BASE_URL`);
    // One queue per listing: a listing that waits for its rate must not block the others.
    const line: Line = { listing, limit: pLimit(needs.concurrency) };
    lines.set(name, line);
    return line;
  }

  async function destinationOf({ listing }: Question): Promise<Destination & { readonly host: string }> {
    const { baseUrl, host, local } = (await needs.addressOf?.(listing)) ?? needs.listings[listing];
    // One pool per listing: at a shared address, a listing that does not answer must not hold all connections.
    const name = `${listing} ${baseUrl}`;
    const known = destinations.get(name);
    if (known) return { ...known, host };
    const { origin, pathname } = new URL(baseUrl!);
    const destination: Destination = {
      origin: connectTo(origin, { connections: needs.concurrency, local }),
      basePath: pathname === '/' ? '' : pathname,
    };
    destinations.set(name, destination);
    return { ...destination, host };
  }

  /** Built per request: default headers of a connection could reach another origin. */
  function headersFor(listing: GatewayListing, host: string, key: string): Record<string, string> {
    const prefix = listing.headerPrefix ?? needs.headerPrefix;
    return {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      // The specification sends it even with GET.
      'content-type': 'application/json',
      'user-agent': 'pricebook',
      [`${prefix}-Host`]: host,
      [`${prefix}-Key`]: key,
    };
  }
}

/** Bounds the requests that an overloaded process, always too late, may waste. */
const mostTooLate = 20;

interface Line {
  readonly listing: GatewayListing;
  readonly limit: LimitFunction;
}

/** Connections to an address, and the path prefix of its requests. */
interface Destination {
  readonly origin: Dispatcher;
  readonly basePath: string;
}

function asPayload(
  question: Question,
  host: string,
  request: string,
  { status, bytes }: Received,
  receivedAt: Date,
): Payload {
  const { listing, endpoint, region } = question;
  const sha256 = hash('sha256', bytes);
  return { listing, endpoint, region, host, request, status, receivedAt, body: bytes, sha256 };
}

function withoutKeyIn(classification: Classification, key: string): Classification {
  if (classification.kind === 'redirect')
    return { ...classification, to: classification.to && withoutKey(classification.to, key) };
  return 'what' in classification ? { ...classification, what: withoutKey(classification.what, key) } : classification;
}
