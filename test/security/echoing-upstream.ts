import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from '../support/listening.ts';

/** How it answers: with the echo among data, or by refusing everything in a way that quotes the key. */
export type Manner = 'echo' | 'hidden' | 'redirect' | 'denied';

export interface EchoingUpstream {
  readonly url: string;
  /** Keys that requests came with, in order. */
  readonly keys: readonly string[];
  manner: Manner;
  /** Resolves after this number of requests. */
  until(count: number): Promise<void>;
  close(): Promise<void>;
}

/** What cleaning removes, or nobody sees, between two letters; as written in JSON. */
const between = [
  ...['\\u0001', '\\u0000\\u001f', '\\u007f', '\\u0085', '\\u200b', '\\u200d', '\\ufeff', '\\u00ad', '\\u2060'],
  ...['<b></b>', '</p>', '<br/>', '\\u003ci\\u003e', "<a title='x'>", '<!---->', '&#0;', '&#1;', '&amp;#x1;'],
  ...['&#8203;', '&ZeroWidthSpace;', '&zwnj;', '&shy;', '\\u0026#8205;', '<b>\\u200b</b>&#0;', '\u200c', '\u0301'],
];

/** A proxy of an upstream that repeats the subscriber's key in headers, titles, error pages and error texts. */
export async function createEchoingUpstream(behind: string): Promise<EchoingUpstream> {
  const keys: string[] = [];
  const asked = new Set<string>();
  let manner: Manner = 'echo';
  const waiting: { count: number; resolve(): void }[] = [];

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const key = String(request.headers['x-gateway-key']);
    const headers = { 'x-echo': key, 'set-cookie': `key=${key}`, 'content-type': 'application/json' };
    const url = request.url ?? '/';
    const isFirst = !asked.has(url);
    asked.add(url);
    keys.push(key);
    for (const { count, resolve } of waiting) if (keys.length >= count) resolve();
    if (manner === 'redirect') return void response.writeHead(302, { ...headers, location: `https://${key}/` }).end();
    if (manner === 'denied') return void response.writeHead(403, headers).end(`{"message":"Invalid API key. ${key}"}`);
    // The first response to each request is bad, an error of the vendor or invalid JSON, so that it is repeated.
    if (isFirst && asked.size % 7 === 1) {
      return void response.writeHead(502, headers).end(`{"success":false,"message":"${key}","error":"${key}"}`);
    }
    if (isFirst && asked.size % 7 === 2) {
      return void response.writeHead(200, { ...headers, 'content-type': 'text/html' }).end(`<p>${key}</p>`);
    }
    const given = await fetch(behind + url, {
      headers: { 'X-Gateway-Key': 'behind', 'X-Gateway-Host': String(request.headers['x-gateway-host']) },
    });
    const text = await given.text();
    let hidden = 0;
    const hide = () => (manner === 'hidden' ? [...key].join(between[hidden++ % between.length]) : key);
    const texts = /"(?:title|description|ingredients|offerText|storage)":\[?"(?=[^"])/g;
    const echoed = (manner === 'hidden' ? text.replace(texts, (start) => `${start}${hide()} `) : text)
      .replace(/"title":"/, `"title":"${hide()} `)
      .replace(/"brand":("[^"]*"|null)/, `"${hide()}":"${hide()}","brand":"${hide()}"`)
      // Now and then an element that cannot be understood, for the quarantine.
      .replace(/"isForSale":(true|false)/, isFirst && asked.size % 7 === 0 ? `"isForSale":"${key}"` : '$&');
    response.writeHead(given.status, headers).end(echoed);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { url, close } = await listening(server);
  return {
    url,
    keys,
    get manner() {
      return manner;
    },
    set manner(next) {
      manner = next;
    },
    until: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    close,
  };
}
