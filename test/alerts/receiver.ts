import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../support/listening.ts';

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
  const { url, close } = await listening(server);
  return {
    url: `${url}/hook?token=hidden-token`,
    taken,
    get asked() {
      return asked;
    },
    behave(how) {
      asked = 0;
      behaviour = how;
    },
    close,
  };
}
