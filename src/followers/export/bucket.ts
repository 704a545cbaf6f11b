import { createReadStream, createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { DestinationUnavailable, DestinationUnusable } from '../../base/errors.ts';
import { timeLimit } from '../../base/time-limit.ts';
import { connectTo } from '../../gateway/origin.ts';
import { bucketUrlPattern, type Destination, digestOf, type FileDigest } from './destination.ts';

/** Access to buckets. */
export interface BucketAccess {
  /** Origin and path of the server, and whether it is local or in a private network; null: Amazon S3. */
  readonly endpoint: { readonly url: string; readonly local: boolean } | null;
  /** Region for signing requests. */
  readonly region: string;
  /** Credentials of a role are asked for, of this machine, container or AWS profile, instead of keys. */
  readonly asRole: boolean;
  readonly accessKeyId: Credential | null;
  readonly secretAccessKey: Credential | null;
  /** Of temporary keys. */
  readonly sessionToken: Credential | null;
  /** Whether the bucket is in the path of an address, as every server understands, or in the name of the host. */
  readonly addressing: 'path' | 'virtual';
}

/** Read for each request, because a key in a file may be rotated. */
interface Credential {
  reveal(): string;
}

interface Limits {
  /** Timeout from sending a request to the last byte of its response. */
  readonly attemptMs: number;
  /** For how long a request that fails is repeated. */
  readonly patienceMs: number;
  readonly partBytes: number;
}

/** S3 requires parts of at least 5 MB, except the last, and at most 10,000 parts. */
const usualLimits: Limits = { attemptMs: 120_000, patienceMs: 60_000, partBytes: 8 * 1024 * 1024 };
/** Of reads that break off in the middle. */
const attempts = 5;
const longestRestMs = 10_000;
/** Well above a commit that replaces ten years of nights, about 5 MB. */
const longestText = 64 * 1024 * 1024;
/** A list of 1,000 files has less than 1 MB. */
const longestAnswer = 4 * 1024 * 1024;
const longestRefusal = 64 * 1024;
/** Of one folder: ten years of nights have 3,650. */
const mostFiles = 100_000;

/** A bucket of Amazon S3 or a compatible server. Throws `DestinationUnusable`. */
export function createBucket(to: string, access: BucketAccess, limits: Limits = usualLimits): Destination {
  const [, bucket, path = ''] = bucketUrlPattern.exec(to) ?? [];
  if (bucket === undefined) throw new DestinationUnusable(to, 'it is not a URL such as s3://bucket/prefix');
  const folders = path.split('/').filter(Boolean);
  const name = ['s3:/', bucket, ...folders].join('/');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  const at = (file: string) => ({ Bucket: bucket, Key: `${prefix}${file}` });
  let opened: Promise<S3Client> | null = null;

  /** Sends a request; errors are converted to own errors. */
  async function ask<Result>(
    request: (client: S3Client, sdk: typeof import('@aws-sdk/client-s3')) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result> {
    try {
      opened ??= openClient(to, access, limits);
      return await request(await opened, await import('@aws-sdk/client-s3'));
    } catch (error) {
      signal.throwIfAborted();
      throw asOurs(name, error);
    }
  }

  /**
   * Reads an object completely; null if it does not exist. Retries, because the client repeats requests but not reads
   * of a body.
   */
  async function read<Result>(
    file: string,
    signal: AbortSignal,
    keep: (body: AsyncIterable<Uint8Array>) => Promise<Result>,
  ): Promise<Result | null> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await ask(async (client, { GetObjectCommand }) => {
          const { Body } = await client.send(new GetObjectCommand(at(file)), { abortSignal: signal });
          return keep(Body as AsyncIterable<Uint8Array>);
        }, signal);
      } catch (error) {
        if (statusOf(error) === 404 && !(error as Error).message.includes(unknownKey)) return null;
        if (!(error instanceof DestinationUnavailable) || attempt === attempts) throw error;
      }
    }
  }

  return {
    name,

    async put(file, { localPath }, signal) {
      const { Upload } = await import('@aws-sdk/lib-storage');
      await ask(async (client) => {
        const params = { ...at(file), Body: createReadStream(localPath) };
        const upload = new Upload({ client, params, partSize: limits.partBytes, queueSize: 1 });
        const stop = () => void upload.abort();
        signal.addEventListener('abort', stop, { once: true });
        // A missing upload was completed, but its response was lost. Reading the file back verifies it.
        await upload
          .done()
          .catch((error: Error) => {
            if (error.name !== 'NoSuchUpload') throw error;
          })
          .finally(() => signal.removeEventListener('abort', stop));
      }, signal);
    },

    digest: (file, signal): Promise<FileDigest | null> => read(file, signal, digestOf),

    async list(folder, signal) {
      return ask(async (client, { paginateListObjectsV2 }) => {
        const asked = { Bucket: bucket, Prefix: `${prefix}${folder}/` };
        const files: string[] = [];
        for await (const { Contents = [] } of paginateListObjectsV2({ client }, asked, { abortSignal: signal })) {
          files.push(...Contents.map(({ Key = '' }) => Key.slice(prefix.length)));
          if (files.length > mostFiles) throw new Error(`${folder} has more than ${mostFiles} files`);
        }
        return files;
      }, signal);
    },

    async remove(file, signal) {
      await ask(async (client, { DeleteObjectCommand }) => {
        await client.send(new DeleteObjectCommand(at(file)), { abortSignal: signal });
      }, signal);
    },

    download: async (file, localPath, signal) =>
      (await read(file, signal, async (body) => {
        await pipeline(body, createWriteStream(localPath));
        return true;
      })) ?? false,

    readText: (file, signal) =>
      read(file, signal, async (body) => (await readWhole(body, longestText)).toString('utf8')),

    async writeNew(file, text, signal) {
      const put = (condition: object) =>
        ask(async (client, { PutObjectCommand }) => {
          await client.send(new PutObjectCommand({ ...at(file), Body: text, ...condition }), { abortSignal: signal });
        }, signal);
      try {
        await put({ IfNoneMatch: '*' });
      } catch (error) {
        const status = statusOf(error) ?? 0;
        if ([409, 412].includes(status)) return false;
        if (status !== 501) throw error;
        // The server does not support conditions; a lock serialises exports of one database anyway.
        await put({});
      }
      return true;
    },
  };
}

/** The AWS client is large, so it is loaded with the first request. */
async function openClient(to: string, access: BucketAccess, limits: Limits): Promise<S3Client> {
  const { endpoint, region, addressing } = access;
  const credentials = credentialsOf(access);
  if (!access.asRole && !credentials) {
    throw new DestinationUnusable(to, 'EXPORT_ACCESS_KEY_ID and EXPORT_SECRET_ACCESS_KEY are not both set');
  }
  // Otherwise it warns on standard error that later versions of it need a later Node.
  // biome-ignore lint/style/noProcessEnv: that is where it looks.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    region,
    endpoint: endpoint?.url ?? `https://s3.${region}.amazonaws.com`,
    forcePathStyle: addressing === 'path',
    // Without them the client looks for a role; it renews the credentials of one by itself.
    ...(credentials && !access.asRole ? { credentials } : {}),
    // The client repeats a request that was signed at a wrong time; all others are repeated below.
    maxAttempts: 2,
    // The gateway's connections do not support `Expect: 100-continue`.
    expectContinueHeader: false,
    // Some servers do not support Amazon's newer checksums; files are read back instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: throughGateway(endpoint?.local ?? false, limits),
  });
}

/** Keys; null: they are not set. */
function credentialsOf({ accessKeyId, secretAccessKey, sessionToken }: BucketAccess) {
  if (accessKeyId === null || secretAccessKey === null) return null;
  return async () => ({
    accessKeyId: accessKeyId.reveal(),
    secretAccessKey: secretAccessKey.reveal(),
    ...(sessionToken ? { sessionToken: sessionToken.reveal() } : {}),
    expiration: new Date(0),
  });
}

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

/**
 * Sends requests through the program's only HTTP client, and repeats those that fail by chance, after the time that the
 * server asks for. Redirects are not followed, because requests are signed for this server.
 */
function throughGateway(local: boolean, { attemptMs, patienceMs }: Limits): Handler {
  const servers = new Map<string, ReturnType<typeof connectTo>>();

  async function send(
    { protocol, hostname, port, method, path, query, headers, body = '' }: SignedRequest,
    abortSignal: AbortSignal | undefined,
  ): Promise<Answer> {
    const search = Object.entries(query).map(([name, value]) => `${encoded(name)}=${encoded(value)}`);
    // One is the bucket's, another may give credentials for a token of a role. Idle connections close after a second.
    const origin = `${protocol}//${hostname}${port ? `:${port}` : ''}`;
    const server = servers.get(origin) ?? connectTo(origin, { connections: 2, local });
    servers.set(origin, server);
    const response = await server.request({
      method,
      path: search.length === 0 ? path : `${path}?${search.join('&')}`,
      headers,
      body,
      signal: timeLimit(attemptMs, abortSignal),
    });
    // An object is streamed; all else is read here, so that an answer that breaks off is asked for again.
    const isDone = response.statusCode < 300;
    const isObject = isDone && method === 'GET' && !('list-type' in query);
    const answer = isObject
      ? response.body
      : Readable.from([await readWhole(response.body, isDone ? longestAnswer : longestRefusal)]);
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
        if (restMs !== null && performance.now() + restMs < until) {
          await sleep(restMs, undefined, abortSignal ? { signal: abortSignal } : {});
          continue;
        }
        if (answer instanceof Error) throw new Error(answer.message, { cause: answer });
        return { response: answer };
      }
    },
    updateHttpClientConfig: () => undefined,
    httpHandlerConfigs: () => ({}),
  } as Handler;
}

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Readable;
}

/** Milliseconds until a request is repeated; null: it did not fail by chance. */
function restBefore(answer: Answer | Error, attempt: number): number | null {
  const usualMs = Math.min(longestRestMs, 100 * 2 ** attempt);
  if (answer instanceof Error) return usualMs;
  if (![408, 429, 500, 502, 503, 504].includes(answer.statusCode)) return null;
  const asked = Number(answer.headers['retry-after']);
  return asked > 0 ? asked * 1_000 : usualMs;
}

/** Throws when it is longer than `most` bytes. */
async function readWhole(body: AsyncIterable<Uint8Array>, most: number): Promise<Buffer> {
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

interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** HTTP status of a server error; null: another error. */
function statusOf(error: unknown): number | null {
  const { cause = error } = error as Error;
  return (cause as ServiceError).$metadata?.httpStatusCode ?? null;
}

/** Some servers answer with status 404. */
const unknownKey = 'InvalidAccessKeyId';

/** Reports only the code of a refusal, because servers may echo secrets. */
function asOurs(name: string, error: unknown): Error {
  if (error instanceof DestinationUnusable) return error;
  const { name: code, message } = error as Error;
  const status = statusOf(error);
  if (code === 'CredentialsProviderError')
    return new DestinationUnusable(name, `no role of this machine or container gives credentials (${message})`, {
      cause: error,
    });
  if (status === null || status < 300) return new DestinationUnavailable(name, message, { cause: error });
  const what = `the server answers ${status}${/^\w{1,60}$/.test(code) ? ` ${code}` : ''}`;
  const cause = Object.assign(new Error(code), { $metadata: { httpStatusCode: status } });
  if (status >= 500 || [429, 408].includes(status) || ['RequestTimeout', 'SlowDown'].includes(code))
    return new DestinationUnavailable(name, what, { cause });
  const advice =
    code === unknownKey
      ? 'it knows no such key: check EXPORT_ACCESS_KEY_ID, and whether EXPORT_ENDPOINT is the server that issued it'
      : status === 401 || status === 403
        ? 'check EXPORT_ACCESS_KEY_ID, EXPORT_SECRET_ACCESS_KEY, their rights, and the clock of this machine'
        : status < 400
          ? 'check EXPORT_REGION and EXPORT_ENDPOINT'
          : 'check the bucket, EXPORT_ENDPOINT and EXPORT_REGION';
  return new DestinationUnusable(name, `${what}; ${advice}`, { cause });
}
