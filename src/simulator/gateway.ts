import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Answer, refusals } from './answer.ts';
import { type Credentials, readCredentials } from './credentials.ts';
import { endpointAt, type SimulatedEndpoint } from './endpoints.ts';
import { faultAnswer } from './fault-answers.ts';
import type { FaultBook, FaultContext, Firing } from './fault-rules.ts';
import { type ListingName, listingAt, subscriptionAt } from './hosts.ts';
import { createMeter, type Meter } from './meter.ts';
import type { RequestLog } from './request-log.ts';
import { send } from './send.ts';
import type { World } from './world.ts';

/** The marketplace's layer: access, rate limits, quotas and transport faults. */
export function createGateway(parts: {
  readonly world: World;
  readonly faults: FaultBook;
  readonly log: RequestLog;
  readonly now: () => Date;
  /** Monotonic time. */
  readonly elapsedMs: () => number;
}) {
  const { world, faults, log, now, elapsedMs } = parts;
  const meters = new Map<string, Meter>();

  function meterOf(subscription: string): Meter {
    const meter = meters.get(subscription) ?? createMeter(world.behaviour, now().getTime());
    meters.set(subscription, meter);
    return meter;
  }

  function respond({ key, host }: Credentials, path: string, query: URLSearchParams, atMs: number): Outcome {
    if (key === null) return refusal(refusals.noKey);
    const listing = host === null ? null : listingAt(host, world.behaviour);
    if (host === null || listing === null) return refusal(refusals.noSuchListing);
    const { unsubscribedHosts, key: accepted } = world.behaviour;
    if (unsubscribedHosts.includes(host) || key === 'unsubscribed' || (accepted !== null && key !== accepted))
      return refusal(refusals.notSubscribed);
    const endpoint = endpointAt(path, listing, world);
    if (!endpoint) return refusal(refusals.noSuchEndpoint(path));

    const meter = meterOf(subscriptionAt(host)!);
    const nowMs = now().getTime();
    const full = meter.admits(atMs);
    if (full !== null) return refusal(refusals.tooFast(full, meter.headers(nowMs)));
    if (!meter.hasQuota(nowMs)) return refusal(refusals.quotaUsed(meter.headers(nowMs)));

    const context = contextOf(path, endpoint, query, host);
    const firings = faults.draw(context);
    const answer = faultAnswer(firings, context) ?? endpoint.answer({ query, firings }, world);
    return { answer, firings, meter };
  }

  function isCounted({ status, from }: Answer): boolean {
    if (world.behaviour.count === 'all') return true;
    return from === 'vendor' && (world.behaviour.count === '2xx' ? status < 300 : status < 500);
  }

  return {
    handle(request: IncomingMessage, response: ServerResponse): void {
      const atMs = elapsedMs();
      const url = request.url ?? '/';
      const cut = url.indexOf('?');
      const path = cut < 0 ? url : url.slice(0, cut);
      const credentials = readCredentials(request.headers);
      const ticket = log.arrive(credentials.host ?? '', { endpoint: path.slice(1), path: url, atMs });

      const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1));
      const outcome =
        request.method === 'GET' ? respond(credentials, path, query, atMs) : refusal(refusals.noSuchEndpoint(path));
      const { answer, firings, meter } = outcome;
      const counts = isCounted(answer);
      if (counts) meter?.use();

      // The gateway's own refusals have no quota headers.
      const rates = meter && answer.from === 'vendor' ? meter.headers(now().getTime()) : none;
      const headers = { ...gatewayHeaders(credentials, answer), ...rates, ...exhausted(answer), ...answer.headers };
      const status = send(request, response, { answer, headers, firings, gzip: world.behaviour.gzip });
      log.settle(ticket, status, counts && meter !== null);
    },
    /** Sets the used quota of all listings. */
    setUsed(used: number): void {
      for (const listing of listingNames) meterOf(listing).setUsed(used);
    },
    used: (): Readonly<Record<string, number>> =>
      Object.fromEntries([...meters].map(([listing, meter]) => [listing, meter.used()])),
  };
}

const listingNames: readonly ListingName[] = ['grocery', 'stores', 'property_1', 'property_2'];
const none: Readonly<Record<string, string>> = {};

interface Outcome {
  readonly answer: Answer;
  readonly firings: readonly Firing[];
  /** Null: refused before it could be counted. */
  readonly meter: Meter | null;
}

function refusal(answer: Answer): Outcome {
  return { answer, firings: [], meter: null };
}

function contextOf(path: string, { region }: SimulatedEndpoint, query: URLSearchParams, host: string): FaultContext {
  const categoryId = query.get('categoryId');
  const pageNo = categoryId === null ? null : Number(query.get('pageNo') ?? '1');
  return { endpoint: path.slice(1), region, categoryId, pageNo, host };
}

/** A quota refusal caused by a fault still reports that nothing remains. */
function exhausted({ status, body }: Answer): Readonly<Record<string, string>> {
  return status === 429 && body.includes('quota for Requests') ? { 'x-ratelimit-requests-remaining': '0' } : none;
}

function gatewayHeaders({ prefix }: Credentials, { from, contentType }: Answer): Record<string, string> {
  return {
    'content-type': contentType ?? 'application/json; charset=utf-8',
    server: 'Gateway-1.2.8',
    [`${prefix}-version`]: '1.2.8',
    [`${prefix}-region`]: 'AWS - us-east-1',
    ...(from === 'gateway' ? { [`${prefix}-proxy-response`]: 'true' } : {}),
  };
}
