import type { S3Client } from '@aws-sdk/client-s3';
import { type BucketLimits, sendPatiently } from './bucket-requests.ts';
import { DestinationUnavailable, DestinationUnusable } from './errors.ts';

/** `s3://bucket/prefix`, without `.` and `..` as names of folders, which lead elsewhere. */
export const bucketUrlPattern =
  /^(?!.*(?:\.\.|\/\.\/|\/\.$))s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w.=/-]*))?$/;

/** Access to buckets. */
export interface BucketAccess {
  /** Origin and path of the server; null: Amazon S3. */
  readonly endpoint: { readonly url: string } | null;
  /** Region for signing requests. */
  readonly region: string;
  /** Null: those of a role of this machine, container or AWS profile are asked for. */
  readonly accessKeyId: Credential | null;
  readonly secretAccessKey: Credential | null;
  /** Of temporary keys. */
  readonly sessionToken: Credential | null;
}

interface Credential {
  reveal(): string;
}

/** Of reads that break off in the middle. */
const attempts = 5;

export const bucketLimits: BucketLimits = { attemptMs: 120_000, patienceMs: 60_000 };

/** A bucket of Amazon S3 or a compatible server. Keys are relative to the prefix in its URL. */
export type Bucket = ReturnType<typeof openBucket>;

type Request<Result> = (
  client: S3Client,
  at: { readonly Bucket: string; readonly Key: string },
  sdk: typeof import('@aws-sdk/client-s3'),
) => Promise<Result>;

/** Opens a bucket without a request. Throws `DestinationUnusable` if the URL is invalid. */
export function openBucket(to: string, access: BucketAccess, limits: BucketLimits = bucketLimits) {
  const [, bucket, path = ''] = bucketUrlPattern.exec(to) ?? [];
  if (bucket === undefined) throw new DestinationUnusable(to, 'it is not a URL such as s3://bucket/prefix');
  const folders = path.split('/').filter(Boolean);
  /** As displayed: `s3://bucket/lake`. */
  const name = ['s3:/', bucket, ...folders].join('/');
  const prefix = folders.map((folder) => `${folder}/`).join('');
  let opened: Promise<S3Client> | null = null;

  /** Sends a request of the AWS client about a key; errors are converted to own errors. */
  async function ask<Result>(key: string, request: Request<Result>, signal: AbortSignal): Promise<Result> {
    try {
      opened ??= openClient(access, limits);
      const at = { Bucket: bucket!, Key: `${prefix}${key}` };
      return await request(await opened, at, await import('@aws-sdk/client-s3'));
    } catch (error) {
      signal.throwIfAborted();
      throw asOurs(name, error);
    }
  }

  return {
    name,
    ask,

    /** Creates or replaces an object, on the condition of further headers. It exists completely or not at all. */
    async write(key: string, Body: Uint8Array | string, signal: AbortSignal, condition?: { IfNoneMatch: '*' }) {
      const options = { abortSignal: signal };
      await ask(
        key,
        (client, at, sdk) => client.send(new sdk.PutObjectCommand({ ...at, Body, ...condition }), options),
        signal,
      );
    },

    /**
     * Reads an object, or a range of its bytes, completely; null if it does not exist. Retries, because the client
     * repeats requests but not reads of a body.
     */
    async read<Result>(
      key: string,
      signal: AbortSignal,
      keep: (body: AsyncIterable<Uint8Array>) => Promise<Result>,
      range?: { readonly at: number; readonly bytes: number },
    ): Promise<Result | null> {
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

    /** Keys in a folder in alphabetical order, in groups of up to 1,000. */
    async *list(folder: string, signal: AbortSignal): AsyncGenerator<string[]> {
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

    /** Deletes an object; a missing one is ignored. */
    async remove(key: string, signal: AbortSignal): Promise<void> {
      const options = { abortSignal: signal };
      await ask(key, (client, at, sdk) => client.send(new sdk.DeleteObjectCommand(at), options), signal);
    },
  };
}

/** The AWS client is large, so it is loaded with the first request. */
async function openClient(access: BucketAccess, limits: BucketLimits): Promise<S3Client> {
  const { endpoint, region, accessKeyId, secretAccessKey, sessionToken } = access;
  // Otherwise it warns on standard error that later versions of it need a later Node.
  // biome-ignore lint/style/noProcessEnv: that is where it looks.
  process.env['AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED'] ??= 'true';
  const { S3Client } = await import('@aws-sdk/client-s3');
  return new S3Client({
    region,
    endpoint: endpoint?.url ?? `https://s3.${region}.amazonaws.com`,
    // Every server but Amazon's understands a bucket in the path.
    forcePathStyle: endpoint !== null,
    // Without keys the client looks for a role; it renews the credentials of one by itself.
    ...(accessKeyId && secretAccessKey
      ? {
          credentials: {
            accessKeyId: accessKeyId.reveal(),
            secretAccessKey: secretAccessKey.reveal(),
            ...(sessionToken ? { sessionToken: sessionToken.reveal() } : {}),
          },
        }
      : {}),
    // The client repeats a request that was signed at a wrong time; all others are repeated below.
    maxAttempts: 2,
    // The connections do not support `Expect: 100-continue`.
    expectContinueHeader: false,
    // Some servers do not support Amazon's newer checksums; files are read back instead.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: await sendPatiently(limits),
  });
}

/** HTTP status of a server error; null: another error. */
export function statusOf(error: unknown): number | null {
  const { cause = error } = error as Error;
  return (cause as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode ?? null;
}

/** Some servers answer with status 404. */
const unknownKey = 'InvalidAccessKeyId';

/** Reports only the code of a refusal, because servers may echo secrets. */
function asOurs(name: string, error: unknown): Error {
  if (error instanceof DestinationUnusable) return error;
  const { name: code, message } = error as Error;
  const status = statusOf(error);
  if (code === 'CredentialsProviderError')
    return new DestinationUnusable(
      name,
      `AWS_ACCESS_KEY_ID is not set, and no role of this machine or container gives credentials (${message})`,
      { cause: error },
    );
  if (status === null || status < 300) return new DestinationUnavailable(name, message, error);
  const what = `the server answers ${status}${/^\w{1,60}$/.test(code) ? ` ${code}` : ''}`;
  const cause = Object.assign(new Error(code), { $metadata: { httpStatusCode: status } });
  if (status >= 500 || [429, 408].includes(status) || ['RequestTimeout', 'SlowDown'].includes(code))
    return new DestinationUnavailable(name, what, cause);
  const advice =
    code === unknownKey
      ? 'it knows no such key: check AWS_ACCESS_KEY_ID, and whether AWS_ENDPOINT_URL is the server that issued it'
      : [401, 403].includes(status)
        ? 'check AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, their rights, and the clock of this machine'
        : 'check the bucket, AWS_ENDPOINT_URL and AWS_REGION';
  return new DestinationUnusable(name, `${what}; ${advice}`, { cause });
}
