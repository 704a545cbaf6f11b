import type { S3Client } from '@aws-sdk/client-s3';
import { DestinationUnavailable, DestinationUnusable } from '../base/errors.ts';
import { type BucketLimits, throughGateway } from './bucket-requests.ts';

/** `s3://bucket/prefix`, without `.` and `..` as names of folders, which lead elsewhere. */
export const bucketUrlPattern =
  /^(?!.*(?:\.\.|\/\.\/|\/\.$))s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.=/-]*))?$/;

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

/** Of reads that break off in the middle. */
const attempts = 5;

export const bucketLimits: BucketLimits = { attemptMs: 120_000, patienceMs: 60_000 };

/** A bucket of Amazon S3 or a compatible server. Keys are relative to the prefix in its URL. */
export interface Bucket {
  /** Display name: `s3://bucket/lake`. */
  readonly name: string;
  /** Sends a request of the AWS client about a key; errors are converted to own errors. */
  ask<Result>(
    key: string,
    request: (
      client: S3Client,
      at: { readonly Bucket: string; readonly Key: string },
      sdk: typeof import('@aws-sdk/client-s3'),
    ) => Promise<Result>,
    signal: AbortSignal,
  ): Promise<Result>;
  /** Creates or replaces an object, on the condition of further headers. It exists completely or not at all. */
  write(
    key: string,
    body: Uint8Array | string,
    signal: AbortSignal,
    condition?: { readonly IfNoneMatch: '*' },
  ): Promise<void>;
  /** Reads an object, or a range of its bytes, completely; null if it does not exist. */
  read<Result>(
    key: string,
    signal: AbortSignal,
    keep: (body: AsyncIterable<Uint8Array>) => Promise<Result>,
    range?: { readonly at: number; readonly bytes: number },
  ): Promise<Result | null>;
  /** Keys in a folder in alphabetical order, in groups of up to 1,000. */
  list(folder: string, signal: AbortSignal): AsyncIterable<string[]>;
  /** Deletes an object; a missing one is ignored. */
  remove(key: string, signal: AbortSignal): Promise<void>;
}

/** Opens a bucket without a request. Throws `DestinationUnusable` if the URL is invalid. */
export function openBucket(to: string, access: BucketAccess, limits: BucketLimits = bucketLimits): Bucket {
  const [, bucket, path = ''] = bucketUrlPattern.exec(to) ?? [];
  if (bucket === undefined) throw new DestinationUnusable(to, 'it is not a URL such as s3://bucket/prefix');
  const folders = path.split('/').filter(Boolean);
  const name = ['s3:/', bucket, ...folders].join('/');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  let opened: Promise<S3Client> | null = null;

  const ask: Bucket['ask'] = async (key, request, signal) => {
    try {
      opened ??= openClient(to, access, limits);
      const at = { Bucket: bucket, Key: `${prefix}${key}` };
      return await request(await opened, at, await import('@aws-sdk/client-s3'));
    } catch (error) {
      signal.throwIfAborted();
      throw asOurs(name, error);
    }
  };

  return {
    name,
    ask,

    write: (key, body, signal, condition) =>
      ask(
        key,
        async (client, at, { PutObjectCommand }) => {
          await client.send(new PutObjectCommand({ ...at, Body: body, ...condition }), { abortSignal: signal });
        },
        signal,
      ),

    // Retries, because the client repeats requests but not reads of a body.
    async read(key, signal, keep, range) {
      const part = range ? { Range: `bytes=${range.at}-${range.at + range.bytes - 1}` } : {};
      for (let attempt = 1; ; attempt++) {
        try {
          return await ask(
            key,
            async (client, at, { GetObjectCommand }) => {
              const { Body } = await client.send(new GetObjectCommand({ ...at, ...part }), { abortSignal: signal });
              return keep(Body as AsyncIterable<Uint8Array>);
            },
            signal,
          );
        } catch (error) {
          if (statusOf(error) === 404 && !(error as Error).message.includes(unknownKey)) return null;
          if (!(error instanceof DestinationUnavailable) || attempt === attempts) throw error;
        }
      }
    },

    async *list(folder, signal) {
      let next: string | undefined;
      do {
        const { Contents = [], NextContinuationToken } = await ask(
          `${folder}/`,
          (client, { Bucket, Key: Prefix }, { ListObjectsV2Command }) =>
            client.send(new ListObjectsV2Command({ Bucket, Prefix, ...(next ? { ContinuationToken: next } : {}) }), {
              abortSignal: signal,
            }),
          signal,
        );
        yield Contents.map(({ Key = '' }) => Key.slice(prefix.length));
        next = NextContinuationToken;
      } while (next);
    },

    remove: (key, signal) =>
      ask(
        key,
        async (client, at, { DeleteObjectCommand }) => {
          await client.send(new DeleteObjectCommand(at), { abortSignal: signal });
        },
        signal,
      ),
  };
}

/** The AWS client is large, so it is loaded with the first request. */
async function openClient(to: string, access: BucketAccess, limits: BucketLimits): Promise<S3Client> {
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

interface ServiceError extends Error {
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/** HTTP status of a server error; null: another error. */
export function statusOf(error: unknown): number | null {
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
