import { type FailureKind, kindOf } from '../base/errors.ts';
import type { ListingName } from '../base/model/index.ts';
import type { Database, Queryable } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { listingProbe } from '../db/tables/index.ts';
import type { Answer } from '../gateway/gateway.ts';
import {
  type Endpoint,
  endpoints,
  groceryHealth,
  property1Health,
  property2Health,
  storeList,
} from '../source/endpoints/index.ts';
import { questionIn } from './archive/archive.ts';
import type { CrawlContext } from './context.ts';
import { ingestOne } from './ingest.ts';

/** Result of a probe of a listing. `not_asked`: a limit or stop held the request back. */
export interface ListingProbe extends Omit<typeof listingProbe.$inferSelect, 'outcome'> {
  readonly outcome: (typeof listingProbe.$inferSelect)['outcome'] | 'not_asked';
}

/** Probes a listing with one request, and records the outcome unless the request was held back. */
export async function probeListing(
  context: Pick<CrawlContext, 'db' | 'clock' | 'ask' | 'ingest' | 'hostOf'>,
  listing: ListingName,
  signal: AbortSignal,
): Promise<ListingProbe> {
  const about = { listing, endpoint: probes[listing].endpoint.name };
  const probe = await askForProbe(context, listing, signal).then(
    ({ payload, latencyMs = null }): ListingProbe => ({
      ...about,
      host: payload.host,
      probedAt: payload.receivedAt,
      outcome: 'answered',
      latencyMs,
      said: null,
    }),
    async (error: Error): Promise<ListingProbe> => {
      signal.throwIfAborted();
      const outcome = outcomes[kindOf(error)] ?? 'failed';
      const said = error.message.replace(/\s+/g, ' ').slice(0, 500);
      const host = await context.hostOf(listing);
      return { ...about, host, probedAt: context.clock.now(), outcome, latencyMs: null, said };
    },
  );
  const { outcome, ...result } = probe;
  if (outcome !== 'not_asked') {
    const row = { ...result, outcome };
    await context.db.orm
      .insert(listingProbe)
      .values(row)
      .onConflictDoUpdate({ target: listingProbe.listing, set: row });
  }
  return probe;
}

const outcomes: Readonly<Partial<Record<FailureKind, ListingProbe['outcome']>>> = {
  denied: 'denied',
  endpoint_missing: 'missing',
  waits: 'not_asked',
  quota: 'not_asked',
  rate_limited: 'not_asked',
  unsent: 'not_asked',
};

/** The last probe of each listing. */
export async function lastProbes(db: Pick<Database, 'orm'>): Promise<ReadonlyMap<ListingName, ListingProbe>> {
  const rows = await db.orm.select().from(listingProbe);
  return new Map(rows.map((row) => [row.listing, row]));
}

type AnyEndpoint = Endpoint<never, unknown>;
type Asking = Pick<CrawlContext, 'ask'> & Partial<Pick<CrawlContext, 'ingest'>>;

const probes: Readonly<Record<ListingName, { readonly endpoint: AnyEndpoint; readonly params: unknown }>> = {
  grocery: { endpoint: groceryHealth, params: undefined },
  // This listing has no health endpoint, so the probe uses the smallest circle, in central London.
  stores: { endpoint: storeList, params: { latitude: 51.5072, longitude: -0.1276, radiusMiles: 1 } },
  property_1: { endpoint: property1Health, params: undefined },
  property_2: { endpoint: property2Health, params: undefined },
};

/**
 * Sends the probe request of a listing; a context that ingests archives the answer. Throws one of the gateway's errors
 * unless the answer fulfils its contract.
 */
export async function askForProbe({ ask, ingest }: Asking, listing: ListingName, signal: AbortSignal): Promise<Answer> {
  const { endpoint, params } = probes[listing] as { endpoint: Endpoint<unknown, unknown>; params: unknown };
  const answer = await ask(endpoint, params, null, signal);
  if (ingest) await ingestOne(ingest, endpoint, { params, answer }, null);
  else endpoint.read(answer.body, params);
  return answer;
}

/** A request to a host, and why its answer is not as the contract says; null: it is. */
export interface Checked {
  readonly request: string;
  readonly problem: string | null;
}

/**
 * Sends a request (path with query) to a host of a listing, and parses the answer by the contract of its endpoint. Of a
 * path without a contract only the envelope is checked.
 */
export async function checkContract(
  ask: CrawlContext['ask'],
  listing: ListingName,
  request: string,
  signal: AbortSignal,
): Promise<Checked> {
  const [path = ''] = request.split('?');
  const question = questionIn(request);
  const known = endpoints.find((each) => each.listing === listing && each.paths.includes(path));
  const endpoint: Endpoint<object, unknown> = {
    ...{ name: 'host-probe', listing, region: null, paths: [path], read: () => ({ records: null, rejected: [] }) },
    ...(known as Endpoint<object, unknown> | undefined),
    query: () => question,
  };
  try {
    const { body } = await ask(endpoint, question, null, signal);
    const [rejected] = endpoint.read(body, question).rejected;
    return { request, problem: rejected ? `${rejected.path}: ${rejected.reason}` : null };
  } catch (error) {
    signal.throwIfAborted();
    return { request, problem: (error as Error).message };
  }
}

/** The latest answered request to each endpoint of a listing. */
export async function recordedRequests(sql: Queryable, listing: ListingName, host: string): Promise<string[]> {
  const rows = await rowsOf<{ request: string }>(
    sql,
    `select distinct on (endpoint) request
     from (
       select * from ops.payload where listing = $1 and host = $2 and status = 200
       order by payload_id desc limit 2000
     ) p
     order by endpoint, request like '%?%' desc, payload_id desc`,
    [listing, host],
  );
  return rows.map(({ request }) => request);
}
