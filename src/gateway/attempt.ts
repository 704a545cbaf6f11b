import { hash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import type { ListingName, Payload } from '../base/model/index.ts';
import { type Classification, classify, type Received } from './classify.ts';
import { ExchangeFailed, exchange, TooLate } from './exchange.ts';
import type { Question } from './gateway.ts';
import type { Gate, Permit } from './limits/gate.ts';
import type { ListingLimits } from './limits/limits.ts';
import { connectTo } from './origin.ts';
import type { Outcome } from './policy.ts';
import { readQuota } from './quota.ts';
import { bodyWithoutKey, maskHiddenKey, withoutKey } from './without-key.ts';

/** Configuration of a listing as the gateway uses it. */
export interface GatewayListing extends ListingLimits {
  /** Without a trailing slash; null: not configured. */
  readonly baseUrl: string | null;
  /** Prefix of its gateway's header names. */
  readonly headerPrefix: string;
  /** Whether private addresses are allowed, because the configuration names one. */
  readonly local: boolean;
}

/** Base URL and host header of a listing, which always change together. */
export type GatewayAddress = Pick<GatewayListing, 'baseUrl' | 'host' | 'local'>;

export interface AttemptNeeds {
  /** Current address of a listing, if it may move while the program runs; default: its configured address. */
  readonly addressOf?: (listing: ListingName) => Promise<GatewayAddress>;
  readonly listings: Readonly<Record<ListingName, GatewayListing>>;
  readonly concurrency: number;
  /** From the start of the request to its last byte; default: 60 s. */
  readonly timeoutMs?: number;
  readonly clock: Clock;
  /** Called for a 200 that is no answer. */
  readonly onUnreadable?: (payload: Payload) => Promise<void>;
  /** Called once with the outcome of each request that may have been sent. */
  readonly onOutcome?: (question: Question, outcome: Outcome & { readonly tookMs?: number }) => void;
}

/** Result of one request. `payload` is null if no response was received. */
export interface Attempt {
  readonly classification: Classification;
  readonly payload: Payload | null;
  /** From the request to the last byte of its answer. */
  readonly latencyMs?: number;
  readonly cause?: unknown;
}

/** A request that has its permission. */
export interface Sending {
  readonly gate: Gate;
  readonly permit: Permit;
  readonly question: Question;
  /** Path and query. */
  readonly target: string;
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request, classifies its response and settles its permission. Throws if it is aborted or has no address. */
export function createAttempts(needs: AttemptNeeds, closing: AbortSignal) {
  const { clock, onOutcome } = needs;
  const origins = new Map<string, Dispatcher>();

  return {
    send,
    async close(): Promise<void> {
      await Promise.all([...origins.values()].map((origin) => origin.destroy()));
    },
  };

  async function send(sending: Sending): Promise<Attempt> {
    const { gate, permit, question, target, signal } = sending;
    const settle = (outcome: Outcome & { readonly tookMs?: number }) => {
      if (outcome.kind !== 'unsent') onOutcome?.(question, outcome);
      return gate.settle(permit, { ...question, target }, outcome);
    };
    const listing = needs.listings[question.listing];
    // Read late, because the permission may have been waited for, and key and host may have been replaced meanwhile.
    const destination = await destinationOf(question).catch((error: unknown) => error);
    if (closing.aborted || destination instanceof Error) {
      await settle({ kind: 'unsent' });
      throw closing.aborted ? closing.reason : destination;
    }
    const { host, origin, basePath } = destination as Destination;
    const key = listing.key.reveal();
    let sentAtMs = performance.now();
    let mayBeOut = false;
    const request = {
      path: basePath + target,
      headers: headersFor(listing, host, key),
      signal,
      maySend: () => {
        sentAtMs = performance.now();
        mayBeOut = gate.isInTime(permit);
        return mayBeOut;
      },
      ...(needs.timeoutMs !== undefined && { totalLimitMs: needs.timeoutMs }),
    };
    let received: Awaited<ReturnType<typeof exchange>>;
    try {
      received = await exchange(origin, request);
    } catch (error) {
      const isUnsent = error instanceof TooLate;
      if (closing.aborted || !(isUnsent || error instanceof ExchangeFailed)) {
        await settle({ kind: mayBeOut ? 'aborted' : 'unsent' });
        throw error;
      }
      const what = withoutKey(error.message, key);
      const classification = { kind: isUnsent ? 'unsent' : 'unavailable', what, waitMs: null } as const;
      await settle({ ...classification, tookMs: performance.now() - sentAtMs });
      return { classification, payload: null, cause: error };
    }

    const tookMs = performance.now() - sentAtMs;
    const receivedAt = clock.now();
    const { status, headers } = received;
    const { listing: name, endpoint, region } = question;
    const { response, body } = classifyWithoutKey(received, receivedAt, key);
    const payload: Payload = {
      ...{ listing: name, endpoint, region, host, request: target, status, receivedAt, body },
      sha256: hash('sha256', body),
    };
    const classification = gate.judge(endpoint, permit, response);
    await settle({ ...classification, quota: readQuota(headers, receivedAt), tookMs });
    if (status === 200 && classification.kind !== 'ok') await needs.onUnreadable?.(payload);
    return { classification, payload, latencyMs: Math.round(tookMs) };
  }

  async function destinationOf({ listing }: Question): Promise<Destination> {
    const { baseUrl, host, local } = (await needs.addressOf?.(listing)) ?? needs.listings[listing];
    // One pool per listing: at a shared address, a listing that does not answer must not hold all connections.
    const name = `${listing} ${baseUrl}`;
    const { origin: address, pathname } = new URL(baseUrl!);
    // One more for the gate's probe.
    const origin = origins.get(name) ?? connectTo(address, { connections: needs.concurrency + 1, local });
    origins.set(name, origin);
    return { origin, basePath: pathname === '/' ? '' : pathname, host };
  }

  /** Built per request: default headers of a connection could reach another origin. */
  function headersFor(listing: GatewayListing, host: string, key: string): Record<string, string> {
    return {
      accept: 'application/json',
      'accept-encoding': 'gzip',
      // The specification sends it even with GET.
      'content-type': 'application/json',
      'user-agent': 'pricebook',
      [`${listing.headerPrefix}-Host`]: host,
      [`${listing.headerPrefix}-Key`]: key,
    };
  }
}

/** Connections to an address, the path prefix of its requests, and its host header. */
interface Destination {
  readonly origin: Dispatcher;
  readonly basePath: string;
  readonly host: string;
}

/** Classifies a response without the key, and returns its body as it may be archived. */
function classifyWithoutKey(received: Received & { readonly bytes: Buffer }, now: Date, key: string) {
  const body = bodyWithoutKey(received.bytes, key);
  const response = classify({ ...received, bytes: body }, now);
  if (response.kind !== 'ok') return { response: { ...response, what: withoutKey(response.what, key) }, body };
  return { response, body: maskHiddenKey(response.body, key) ? Buffer.from(JSON.stringify(response.body)) : body };
}
