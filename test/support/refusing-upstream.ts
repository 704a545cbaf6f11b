import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

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
  /** Refuses from the nth request from now on; null: refuses nothing. */
  refuse(refusal: Refusal | null, from?: number): void;
  close(): Promise<void>;
}

/** `instead`: an answer in the place of the upstream's own to the next request, which arrived at this time. */
export async function createRefusingUpstream(
  behind: string,
  instead: (atMs: number) => Refusal | null = () => null,
): Promise<RefusingUpstream> {
  let asked = 0;
  let refusal: Refusal | null = null;
  let first = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    asked += 1;
    const json = { 'content-type': 'application/json' };
    const refused = instead(Date.now()) ?? (asked >= first ? refusal : null);
    if (refused) {
      response.writeHead(refused.status, { ...json, ...refused.headers }).end(JSON.stringify(refused.body ?? {}));
      return;
    }
    const { host: _, connection: __, ...headers } = request.headers;
    const given = await fetch(behind + request.url, { headers: headers as Record<string, string> });
    response.writeHead(given.status, json).end(await given.text());
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listening(server);
  return {
    url,
    get asked() {
      return asked;
    },
    refuse(next, from = 1) {
      refusal = next;
      first = asked + from;
    },
    close,
  };
}
