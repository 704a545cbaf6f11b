import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { AwsV4Signer } from 'aws4fetch';
import type { Dispatcher } from 'undici';
import { DestinationUnavailable, DestinationUnusable } from '../../../base/errors.ts';
import { connectTo } from '../../../gateway/origin.ts';
import type { FileDigest } from '../destination.ts';
import { digestOf } from '../digest.ts';
import type { BucketAddress } from './address.ts';

export interface Question {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Below the prefix; empty: the bucket itself. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Answers that mean something to who asks; every other one but success is an error. */
  readonly expected?: readonly number[];
  /** False: of a success only the digest is wanted. */
  readonly keepsText?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly etag: string | null;
  readonly text: string;
  /** Of the body. */
  readonly digest: FileDigest;
}

/** Asks an S3-compatible server: signed, each attempt limited in time, tried again while the trouble may pass. */
export type S3Client = (question: Question, signal: AbortSignal) => Promise<Answer>;

export interface S3Timing {
  /** From sending a request until the last byte of its answer. */
  readonly attemptMs: number;
  /** Before the second attempt; twice as long before each further one. */
  readonly firstWaitMs: number;
}

const attempts = 5;
const usualTiming: S3Timing = { attemptMs: 120_000, firstWaitMs: 500 };

export function createS3Client(address: BucketAddress, timing: S3Timing = usualTiming): S3Client {
  // Connections close by themselves a second after they were used.
  const server = connectTo(new URL(address.url).origin, { connections: 2, local: address.local });
  return async (question, signal) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask(server, address, question, AbortSignal.any([signal, AbortSignal.timeout(timing.attemptMs)]));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof DestinationUnusable) throw error;
        if (attempt === attempts) {
          throw new DestinationUnavailable(address.name, reasonOf(error), { cause: error });
        }
        // Full jitter, so that those who collided do not collide again.
        await sleep(Math.random() * timing.firstWaitMs * 2 ** (attempt - 1), undefined, { signal });
      }
    }
  };
}

async function ask(
  server: Dispatcher,
  address: BucketAddress,
  question: Question,
  signal: AbortSignal,
): Promise<Answer> {
  const { method, body, expected = [], keepsText = true } = question;
  const { path, headers } = await sign(address, question);
  // A redirect is not followed: the request was signed for this server.
  const response = await server.request({ method, path, headers, signal, ...(body ? { body } : {}) });
  const { statusCode: status } = response;
  const isSuccess = status >= 200 && status < 300;
  const kept: Uint8Array[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for await (const chunk of response.body as AsyncIterable<Uint8Array>) {
      if (keepsText || !isSuccess) kept.push(chunk);
      yield chunk;
    }
  }
  const digest = await digestOf(chunks());
  const text = Buffer.concat(kept).toString('utf8');
  const etag = response.headers['etag'];
  if (isSuccess || expected.includes(status)) {
    return { status, etag: typeof etag === 'string' ? etag : null, text, digest };
  }
  throw refusal(address, status, text);
}

async function sign({ url, prefix, region, accessKeyId, secretAccessKey }: BucketAddress, question: Question) {
  const { method, path, query = {}, headers = {}, body } = question;
  const target = new URL(path === '' ? url : `${url}/${prefix}${path}`);
  for (const [name, value] of Object.entries(query)) target.searchParams.set(name, value);
  const signer = new AwsV4Signer({
    method,
    url: target.href,
    // The server holds what it received against this.
    headers: {
      ...headers,
      'x-amz-content-sha256': createHash('sha256')
        .update(body ?? '')
        .digest('hex'),
    },
    accessKeyId: accessKeyId.reveal(),
    secretAccessKey: secretAccessKey.reveal(),
    service: 's3',
    region,
  });
  const signed = await signer.sign();
  const { encodedPath, encodedSearch } = signer as AwsV4Signer & { encodedPath: string; encodedSearch: string };
  return {
    path: encodedSearch === '' ? encodedPath : `${encodedPath}?${encodedSearch}`,
    headers: Object.fromEntries(signed.headers),
  };
}

/** What an answer means that is no success. Of the body only the code is told: servers repeat what was sent to them. */
function refusal({ name }: BucketAddress, status: number, text: string): Error {
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  const what = `the server answers ${status}${code ? ` ${code}` : ''}`;
  if (status >= 500 || status === 429 || code === 'RequestTimeout' || code === 'SlowDown') return new Error(what);
  const advice =
    status === 401 || status === 403
      ? '; check EXPORT_ACCESS_KEY_ID, EXPORT_SECRET_ACCESS_KEY, their rights, and the clock of this machine'
      : status >= 300 && status < 400
        ? '; check EXPORT_REGION and EXPORT_ENDPOINT'
        : '; check the bucket, EXPORT_ENDPOINT and EXPORT_REGION';
  return new DestinationUnusable(name, `${what}${advice}`);
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'it does not answer';
  if (error.name === 'TimeoutError') return 'it does not answer in time';
  return error.message || (error as NodeJS.ErrnoException).code || 'it does not answer';
}
