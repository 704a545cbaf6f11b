import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A webhook that records requests and answers as configured. */
export interface Receiver {
  readonly url: string;
  /** Bodies it answered with 2xx, as they came, and the headers they came with. */
  readonly taken: readonly Message[];
  /** Number of requests so far. */
  readonly asked: number;
  /** Decides for the nth request, from 1: a status, or never to answer. */
  behave(how: (nth: number) => number | 'hang'): void;
  close(): Promise<void>;
}

export interface Message {
  readonly body: Readonly<Record<string, unknown>>;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export async function startReceiver(): Promise<Receiver> {
  const taken: Message[] = [];
  let asked = 0;
  let behaviour: (nth: number) => number | 'hang' = () => 200;
  const answer = async (incoming: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const part of incoming.setEncoding('utf8')) text += part;
    const how = behaviour(++asked);
    if (how === 'hang') return;
    if (how < 300) taken.push({ body: JSON.parse(text), text, headers: incoming.headers });
    response.writeHead(how).end();
  };
  const server = createServer((incoming, response) => void answer(incoming, response).catch(() => undefined));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook?token=hidden-token`,
    taken,
    get asked() {
      return asked;
    },
    behave(how) {
      asked = 0;
      behaviour = how;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
