import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '../../src/base/clock.ts';
import { createGateway, type GatewayNeeds } from '../../src/gateway/client.ts';
import type { Gateway, Question } from '../../src/gateway/gateway.ts';
import type { Outcome, Spend } from '../../src/gateway/spend.ts';
import { sentinelKey } from '../support/sentinel-key.ts';

/** Waits for nothing in tests: full jitter is free to be zero. */
const hasty = () => 0;

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
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await use({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests });
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

/** Accounts without limits that record every call. */
export interface Accounts extends Spend {
  readonly outcomes: Outcome[];
}

export function openAccounts(): Accounts {
  const outcomes: Outcome[] = [];
  return {
    outcomes,
    async reserve({ listing, endpoint, region, runId }) {
      return { listing, endpoint, region, runId, hour: new Date(0) };
    },
    sent: () => true,
    async settle(_reservation, outcome) {
      outcomes.push(outcome);
    },
  };
}

export async function withGateway(
  url: string,
  use: (gateway: Gateway, accounts: Accounts) => Promise<void>,
  needs: Partial<GatewayNeeds> & { key?: () => string } = {},
): Promise<void> {
  const accounts = openAccounts();
  const listing = {
    baseUrl: url,
    host: 'grocery.simulator',
    key: { reveal: needs.key ?? (() => sentinelKey) },
    keyVariable: 'GROCERY_KEY',
    local: true,
  };
  const absent = { ...listing, baseUrl: null };
  const gateway = createGateway({
    listings: { grocery: listing, stores: absent, property_1: absent, property_2: absent },
    headerPrefix: 'X-Gateway',
    concurrency: 8,
    spend: accounts,
    clock: systemClock,
    random: hasty,
    ...needs,
  });
  try {
    await use(gateway, accounts);
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
  runId: 7,
};

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
