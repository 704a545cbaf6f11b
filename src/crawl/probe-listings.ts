import { AccessDenied, BudgetExhausted, EndpointMissing, RateLimited, UpstreamUnavailable } from '../base/errors.ts';
import type { ListingName } from '../base/model/index.ts';
import type { Answer } from '../gateway/gateway.ts';
import {
  type Endpoint,
  groceryHealth,
  property1Health,
  property2Health,
  storeList,
} from '../source/endpoints/index.ts';
import type { CrawlContext } from './context.ts';
import { ingestOne } from './ingest.ts';
import { type ListingProbe, type ProbeOutcome, recordProbe } from './ledger/listing-probes.ts';

type Probing = Pick<CrawlContext, 'db' | 'clock' | 'ask' | 'ingest' | 'hostOf'>;

/** Probes a listing with one request and records the outcome. */
export async function probeListing(context: Probing, listing: ListingName, signal: AbortSignal): Promise<ListingProbe> {
  const { db, clock } = context;
  const about = { listing, endpoint: probes[listing].endpoint };
  const probe = await askOnce(context, listing, signal).then(
    ({ payload, latencyMs }): ListingProbe => ({
      ...about,
      host: payload.host,
      probedAt: payload.receivedAt,
      outcome: 'answered',
      latencyMs: latencyMs ?? null,
      said: null,
    }),
    async (error: unknown): Promise<ListingProbe> => {
      signal.throwIfAborted();
      const host = await context.hostOf(listing);
      const said = (error as Error).message.replace(/\s+/g, ' ').slice(0, 500);
      return { ...about, host, probedAt: clock.now(), outcome: outcomeOf(error), latencyMs: null, said };
    },
  );
  await recordProbe(db, probe);
  return probe;
}

type Asking = Pick<CrawlContext, 'ask'> & Partial<Pick<CrawlContext, 'ingest'>>;

/**
 * Sends the probe request of a listing; a context that ingests archives the answer. Throws one of the gateway's errors
 * unless the answer fulfils its contract.
 */
export async function askOnce({ ask, ingest }: Asking, listing: ListingName, signal: AbortSignal): Promise<Answer> {
  return probes[listing].ask(async (endpoint, params) => {
    const answer = await ask(endpoint, params, null, signal, 'health-probe');
    if (ingest) await ingestOne(ingest, endpoint, { params, answer }, null);
    else endpoint.read(answer.body, params);
    return answer;
  });
}

type Ask = <Params>(endpoint: Endpoint<Params, unknown>, params: Params) => Promise<Answer>;

interface Probe {
  readonly endpoint: string;
  ask(ask: Ask): Promise<Answer>;
}

const probes: Readonly<Record<ListingName, Probe>> = {
  grocery: probeOf(groceryHealth, undefined),
  // This listing has no health endpoint, so the probe uses the smallest circle, in central London.
  stores: probeOf(storeList, { latitude: 51.5072, longitude: -0.1276, radiusMiles: 1 }),
  property_1: probeOf(property1Health, undefined),
  property_2: probeOf(property2Health, undefined),
};

function probeOf<Params>(endpoint: Endpoint<Params, unknown>, params: Params): Probe {
  return { endpoint: endpoint.name, ask: (ask) => ask(endpoint, params) };
}

function outcomeOf(error: unknown): ProbeOutcome {
  if (error instanceof AccessDenied) return 'denied';
  if (error instanceof EndpointMissing) return 'missing';
  const isKeptBack = error instanceof UpstreamUnavailable && error.isHeldBack;
  return isKeptBack || error instanceof BudgetExhausted || error instanceof RateLimited ? 'not_asked' : 'failed';
}
