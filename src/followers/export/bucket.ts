import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { S3Client } from '@aws-sdk/client-s3';
import { DestinationUnavailable, DestinationUnusable } from '../../base/errors.ts';
import { readWhole, throughGateway } from './bucket-requests.ts';
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
/** Well above a commit that replaces ten years of nights, about 5 MB. */
const longestText = 64 * 1024 * 1024;
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
