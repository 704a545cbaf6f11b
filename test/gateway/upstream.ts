import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { systemClock } from '../../src/base/clock.ts';
import type { Database } from '../../src/db/client.ts';
import { createGateway, type GatewayNeeds } from '../../src/gateway/client.ts';
import type { Gateway, Question } from '../../src/gateway/gateway.ts';
import type { ListingLimits } from '../../src/gateway/limits/limits.ts';
import type { Outcome } from '../../src/gateway/policy.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { listening } from '../support/listening.ts';
import { listingLimits } from '../support/listing-limits.ts';
import { sentinelKey } from '../support/sentinel-key.ts';

export { sentinelKey };

export interface Upstream {
  readonly url: string;
  readonly requests: readonly IncomingMessage[];
}

/** A real HTTP server, for as long as `use` runs. */
export async function withUpstream(answer: RequestListener, use: (upstream: Upstream) => Promise<void>): Promise<void> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  const { url, close } = await listening(server);
  try {
    await use({ url, requests });
  } finally {
    await close();
  }
}

export interface Process {
  readonly gateway: Gateway;
  /** What became of its requests, in order. */
  readonly outcomes: readonly Outcome['kind'][];
}

interface ProcessNeeds extends Partial<GatewayNeeds> {
  readonly limits?: Partial<ListingLimits>;
  readonly key?: () => string;
  readonly headerPrefix?: string;
}

/** One process's gateway, which shares the database with others. */
export function openProcess(
  db: Database,
  url: string,
  { limits, key, headerPrefix = 'X-Gateway', ...needs }: ProcessNeeds = {},
): Process {
  const outcomes: Outcome['kind'][] = [];
  const ours = { key: { reveal: key ?? (() => sentinelKey) }, baseUrl: url, local: true, headerPrefix };
  const listing = { ...listingLimits(limits), ...ours };
  const absent = { ...listing, baseUrl: null };
  const gateway = createGateway({
    db,
    listings: { grocery: listing, stores: absent, property_1: absent, property_2: absent },
    concurrency: 8,
    clock: systemClock,
    onOutcome: (_, { kind }) => outcomes.push(kind),
    ...needs,
  });
  return { gateway, outcomes };
}

/** A gateway in an empty database, for as long as `use` runs. */
export async function withGateway(
  db: Database,
  url: string,
  use: (gateway: Gateway, outcomes: readonly Outcome['kind'][]) => Promise<void>,
  needs: ProcessNeeds = {},
): Promise<void> {
  await forgetEverything(db);
  const { gateway, outcomes } = openProcess(db, url, needs);
  try {
    await use(gateway, outcomes);
  } finally {
    await gateway.close();
  }
}

export const question: Question = {
  listing: 'grocery',
  endpoint: 'uk-category-page',
  region: 'uk',
  paths: ['/category-page'],
  query: { categoryId: 'b;QSUyMEI=', pageNo: '2' },
  runId: null,
};

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
