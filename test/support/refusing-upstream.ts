import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer given in the place of the upstream's own. */
export interface Refusal {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

/** A proxy of an upstream that counts requests and refuses all of them on request. */
export interface RefusingUpstream {
  readonly url: string;
  readonly asked: number;
  /** Refuses from the nth request from now on, paths that match only; null: refuses nothing. */
  refuse(refusal: Refusal | null, from?: number, paths?: RegExp): void;
  close(): Promise<void>;
}

export async function createRefusingUpstream(behind: string): Promise<RefusingUpstream> {
  let asked = 0;
  let refusal: Refusal | null = null;
  let first = 0;
  let refused = /^/;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked += 1;
    const json = { 'content-type': 'application/json' };
    if (refusal && asked >= first && refused.test(request.url ?? '')) {
      response.writeHead(refusal.status, { ...json, ...refusal.headers }).end(JSON.stringify(refusal.body ?? {}));
      return;
    }
    const { 'x-gateway-key': key, 'x-gateway-host': host } = request.headers;
    const given = await fetch(behind + request.url, {
      headers: { 'X-Gateway-Key': String(key), 'X-Gateway-Host': String(host) },
    });
    response.writeHead(given.status, json).end(await given.text());
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    refuse(next, from = 1, paths = /^/) {
      refused = paths;
      refusal = next;
      first = asked + from;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
