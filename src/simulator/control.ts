import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setImmediate } from 'node:timers/promises';
import type { Simulator } from './simulator.ts';
import type { RegionCode } from './taxonomy.ts';
import type { TrueProduct } from './truth.ts';

/** Parts of the simulator used by the control plane. */
type Controlled = Pick<Simulator, 'change' | 'state' | 'log' | 'resetLog' | 'truth' | 'summary' | 'served'>;

/** Whether a path belongs to the control plane; its requests are never metered. */
export function isControl(url: string): boolean {
  return url.startsWith('/__');
}

/** `/__control`, `/__truth`, `/__truth/summary`, `/__log`, `/__reset`. Mistakes get status 400 with a sentence. */
export async function handleControl(request: IncomingMessage, response: ServerResponse, simulator: Controlled) {
  try {
    const url = new URL(request.url ?? '/', 'http://simulator');
    const handler = handlers[`${request.method} ${url.pathname}`];
    if (!handler) return reply(response, 404, { message: `There is no ${request.method} ${url.pathname}` });
    await handler({ request, response, url, simulator });
  } catch (error) {
    // Most likely the client has disconnected; the process must survive.
    const isMistake = error instanceof RangeError || error instanceof SyntaxError;
    if (response.headersSent || !(error instanceof Error)) response.destroy();
    else reply(response, isMistake ? 400 : 500, { message: error.message });
  }
}

interface Control {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly simulator: Controlled;
}

const handlers: Readonly<Record<string, (control: Control) => void | Promise<void>>> = {
  'GET /__control': ({ response, simulator }) => reply(response, 200, simulator.state()),

  async 'POST /__control'({ request, response, simulator }) {
    const change: unknown = JSON.parse((await bodyOf(request)) || '{}');
    if (typeof change !== 'object' || change === null || Array.isArray(change))
      throw new RangeError('send a JSON object');
    simulator.change(change as Record<string, unknown>);
    reply(response, 200, simulator.state());
  },

  'GET /__log'({ response, url, simulator }) {
    reply(response, 200, simulator.log({ full: url.searchParams.get('full') === '1' }));
  },

  'POST /__reset'({ response, simulator }) {
    simulator.resetLog();
    reply(response, 200, { reset: true });
  },

  async 'GET /__truth'({ response, url, simulator }) {
    const region = regionOf(url);
    const records = simulator.truth(region, url.searchParams.get('date') ?? simulator.served()[region]);
    response.writeHead(200, { 'content-type': 'application/x-ndjson; charset=utf-8' });
    await pipeline(linesOf(records), response);
  },

  'GET /__truth/summary'({ response, url, simulator }) {
    const dates = simulator.served();
    const regions = url.searchParams.has('region') ? [regionOf(url)] : (['uk', 'ie'] as const);
    const date = url.searchParams.get('date');
    const summaries = regions.map((region) => [region, simulator.summary(region, date ?? dates[region])]);
    reply(response, 200, Object.fromEntries(summaries));
  },
};

function regionOf(url: URL): RegionCode {
  const region = url.searchParams.get('region');
  if (region !== 'uk' && region !== 'ie') throw new RangeError('region must be uk or ie');
  return region;
}

/** In batches, between which other requests are answered. */
async function* linesOf(records: Iterable<TrueProduct>): AsyncGenerator<string> {
  let batch = '';
  for (const record of records) {
    batch += `${JSON.stringify(record)}\n`;
    if (batch.length < batchLength) continue;
    yield batch;
    batch = '';
    await setImmediate();
  }
  yield batch;
}

const batchLength = 262_144;

async function bodyOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8');
  let body = '';
  for await (const chunk of request) body += chunk;
  return body;
}

function reply(response: ServerResponse, status: number, value: unknown): void {
  const body = JSON.stringify(value);
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
