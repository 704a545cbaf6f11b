import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { Dispatcher } from 'undici';
import { timeLimit } from './time-limit.ts';

export interface BucketLimits {
  /** Timeout from sending a request to the last byte of its response. */
  readonly attemptMs: number;
  /** For how long a request that fails is repeated. */
  readonly patienceMs: number;
}

const longestRestMs = 10_000;
/** A list of 1,000 files has less than 1 MB. */
const longestAnswer = 4 * 1024 * 1024;

type Handler = NonNullable<S3ClientConfig['requestHandler']>;

interface SignedRequest {
  readonly protocol: string;
  readonly hostname: string;
  readonly port?: number;
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Record<string, string>;
  readonly body?: Buffer | string;
}

/** Explicit, so that neither NODE_OPTIONS nor NODE_TLS_REJECT_UNAUTHORIZED can weaken them. */
const connect = { timeout: 5_000, minVersion: 'TLSv1.2', rejectUnauthorized: true } as const;

/**
 * Sends signed requests, and repeats those that fail by chance, after the time that the server asks for. Redirects are
 * not followed, because requests are signed for this server.
 */
export async function sendPatiently({ attemptMs, patienceMs }: BucketLimits): Promise<Handler> {
  // Loaded with the first request: it brings fetch, web sockets and more. In a bundle it has only a default export.
  const { default: undici } = await import('undici');
  const agent = new undici.Agent({ connect, connections: 2, keepAliveTimeout: 1_000, keepAliveMaxTimeout: 10_000 });

  async function send(
    { protocol, hostname, port, method, path, query, headers, body = '' }: SignedRequest,
    abortSignal: AbortSignal | undefined,
  ): Promise<Answer> {
    const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    const response = await agent.request({
      origin: `${protocol}//${hostname}${port ? `:${port}` : ''}`,
      method,
      path: search.length === 0 ? path : `${path}?${search.join('&')}`,
      headers,
      body,
      signal: timeLimit(attemptMs, abortSignal),
    });
    // An object is streamed; all else is read here, so that an answer that breaks off is asked for again.
    const isObject = response.statusCode < 300 && method === 'GET' && !('list-type' in query);
    const answer = isObject ? response.body : Readable.from([await readWhole(response.body, longestAnswer)]);
    return { statusCode: response.statusCode, headers: response.headers, body: answer };
  }

  return {
    async handle(request: SignedRequest, { abortSignal }: { readonly abortSignal?: AbortSignal } = {}) {
      const until = performance.now() + patienceMs;
      for (let attempt = 0; ; attempt++) {
        const answer = await send(request, abortSignal).catch((error: Error) => {
          abortSignal?.throwIfAborted();
          return error;
        });
        const restMs = restBefore(answer, attempt);
        if (restMs === null) return { response: answer };
        // Without status and cause, or the client would repeat it as well.
        if (performance.now() + restMs >= until)
          throw new Error(answer instanceof Error ? answer.message : `the server answers ${answer.statusCode}`);
        await sleep(restMs, undefined, abortSignal ? { signal: abortSignal } : {});
      }
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  } as Handler;
}

type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers'> & { readonly body: Readable };

/** Milliseconds until a request is repeated; null: it did not fail by chance. */
function restBefore(answer: Answer | Error, attempt: number): number | null {
  const usualMs = Math.min(longestRestMs, 100 * 2 ** attempt);
  if (answer instanceof Error) return usualMs;
  if (![408, 429, 500, 502, 503, 504].includes(answer.statusCode)) return null;
  const asked = Number(answer.headers['retry-after']);
  return asked > 0 ? asked * 1_000 : usualMs;
}

/** Throws when it is longer than `most` bytes. */
export async function readWhole(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    bytes += chunk.byteLength;
    if (bytes > most) throw new Error(`an answer has more than ${most} bytes`);
  }
  return Buffer.concat(chunks);
}

/** Percent encoding as required by signatures. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
