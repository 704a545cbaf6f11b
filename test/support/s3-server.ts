import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';
import { sentinelKey } from './sentinel-key.ts';

/**
 * `503` once; `slow`: the answer never ends; `truncated`: the connection breaks in the middle of the answer; `lost`:
 * the request is done and its answer is lost; `twice`: it arrives twice, and the second answer is the one that is
 * heard.
 */
export type S3Fault = '503' | 'slow' | 'truncated' | 'lost' | 'twice';

export interface S3Request {
  readonly method: string;
  /** Within the bucket. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** A server of one bucket that refuses requests with another key. */
export interface S3Server {
  readonly url: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Status with which it answers as if it had no such key; null: it has. */
  unknownKeyStatus: number | null;
  /** Required of temporary keys; null: keys are permanent. */
  sessionToken: string | null;
  readonly region: string;
  readonly objects: Map<string, Buffer>;
  /** Uploads that were begun and neither completed nor given up. */
  readonly uploads: Map<string, Map<number, Buffer>>;
  readonly requests: S3Request[];
  /** Why requests were refused. */
  readonly refused: string[];
  /** What befalls a request; null: nothing. */
  fault: (request: S3Request) => S3Fault | null;
  /** Answers 501 to conditional writes, as some servers do. */
  knowsConditions: boolean;
  close(): Promise<void>;
}

interface Reply {
  readonly status: number;
  readonly body?: Buffer | string;
  readonly etag?: string;
}

const pageSize = 2;

export async function startS3Server(
  credentials = { accessKeyId: 'lake', secretAccessKey: sentinelKey },
): Promise<S3Server> {
  const server = createServer((incoming, response) => void serve(incoming, response));
  const { url, close } = await listening(server);
  const s3: S3Server = {
    url,
    bucket: 'prices',
    ...credentials,
    sessionToken: null,
    unknownKeyStatus: null,
    region: 'eu-west-1',
    objects: new Map(),
    uploads: new Map(),
    requests: [],
    refused: [],
    fault: () => null,
    knowsConditions: true,
    close,
  };

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(incoming.url!, s3.url);
    if (s3.unknownKeyStatus) return send(response, { status: s3.unknownKeyStatus, body: error('InvalidAccessKeyId') });
    const refusal = whyRefused(s3, incoming);
    if (refusal !== null) {
      s3.refused.push(refusal);
      return send(response, { status: 403, body: error('SignatureDoesNotMatch', s3.secretAccessKey) });
    }
    const { method = '', headers } = incoming;
    const isInHost = headers.host?.startsWith(`${s3.bucket}.`) ?? false;
    const [bucket, ...path] = decodeURIComponent(`${isInHost ? s3.bucket : ''}${url.pathname}`)
      .replace(/^\//, '')
      .split('/');
    const request: S3Request = { method, key: path.join('/'), query: url.searchParams, headers, body };
    s3.requests.push(request);
    if (bucket !== s3.bucket) return send(response, { status: 404, body: error('NoSuchBucket') });
    const fault = s3.fault(request);
    if (fault === '503') return send(response, { status: 503, body: error('SlowDown') });
    let reply = answer(s3, request);
    if (fault === 'twice') reply = answer(s3, request);
    if (fault === 'lost') return void incoming.socket.destroy();
    if (fault === 'slow') return void response.writeHead(reply.status, { 'content-length': 1_000_000 }).write('.');
    if (fault === 'truncated') {
      const half = Buffer.from(reply.body ?? 'no body').subarray(0, 3);
      response.writeHead(reply.status, { 'content-length': 1_000_000 });
      return void response.write(half, () => incoming.socket.destroy());
    }
    send(response, reply);
  }
  return s3;
}

function send(response: ServerResponse, { status, body = '', etag }: Reply): void {
  response.writeHead(status, { 'content-length': Buffer.byteLength(body), ...(etag ? { etag } : {}) }).end(body);
}

function error(code: string, repeated = ''): string {
  return (
    '<?xml ' +
    `version="1.0"?><Error><Code>${code}</Code><Message>no</Message><StringToSign>${repeated}</StringToSign></Error>`
  );
}

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

function answer(s3: S3Server, { method, key, query, headers, body }: S3Request): Reply {
  const uploadId = query.get('uploadId');
  const stands = s3.objects.get(key);
  if (method === 'GET' && query.has('list-type')) return list(s3, query);
  if (method === 'GET') {
    if (!stands) return { status: 404, body: error('NoSuchKey') };
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
    if (from !== undefined) return { status: 206, body: stands.subarray(Number(from), Number(to) + 1) };
    return { status: 200, body: stands, etag: etagOf(stands) };
  }
  if (method === 'POST' && query.has('uploads')) {
    const id = `upload-${s3.requests.length}`;
    s3.uploads.set(id, new Map());
    return {
      status: 200,
      body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
    };
  }
  if (uploadId !== null) return upload(s3, method, key, uploadId, query, body);
  if (method === 'DELETE') {
    s3.objects.delete(key);
    return { status: 204 };
  }
  const ifMatch = headers['if-match'];
  const ifNoneMatch = headers['if-none-match'];
  if ((ifMatch || ifNoneMatch) && !s3.knowsConditions) return { status: 501, body: error('NotImplemented') };
  if (ifMatch && (!stands || etagOf(stands) !== ifMatch)) return { status: 412, body: error('PreconditionFailed') };
  if (ifNoneMatch === '*' && stands) return { status: 412, body: error('PreconditionFailed') };
  s3.objects.set(key, body);
  return { status: 200, etag: etagOf(body) };
}

function upload(
  s3: S3Server,
  method: string,
  key: string,
  uploadId: string,
  query: URLSearchParams,
  body: Buffer,
): Reply {
  const parts = s3.uploads.get(uploadId);
  if (!parts) return { status: 404, body: error('NoSuchUpload') };
  if (method === 'PUT') {
    parts.set(Number(query.get('partNumber')), body);
    return { status: 200, etag: etagOf(body) };
  }
  s3.uploads.delete(uploadId);
  if (method === 'DELETE') return { status: 204 };
  const named = [...body.toString().matchAll(/<Part>(.*?)<\/Part>/g)].map(([, part = '']) => ({
    number: Number(/<PartNumber>(\d+)</.exec(part)?.[1]),
    etag: /<ETag>(.*?)</.exec(part)?.[1]?.replace(/&(quot|#34);/g, '"'),
  }));
  const isWhole = named.length === parts.size && named.every(({ number, etag }) => etagOf(parts.get(number)!) === etag);
  if (!isWhole) return { status: 400, body: error('InvalidPart') };
  s3.objects.set(key, Buffer.concat(named.map(({ number }) => parts.get(number)!)));
  return { status: 200, body: '<CompleteMultipartUploadResult></CompleteMultipartUploadResult>' };
}

/** Lists in pages, so that a client must read them all. */
function list(s3: S3Server, query: URLSearchParams): Reply {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...s3.objects.keys()].filter((key) => key.startsWith(prefix) && key > after).sort();
  const page = keys.slice(0, pageSize);
  const next = keys.length > pageSize ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  const contents = page.map((key) => `<Contents><Key>${key.replaceAll('&', '&amp;')}</Key></Contents>`).join('');
  return { status: 200, body: `<ListBucketResult>${contents}${next}</ListBucketResult>` };
}

/** The client of AWS signs; here only the key and the session count. */
function whyRefused({ accessKeyId, sessionToken }: S3Server, { headers }: IncomingMessage): string | null {
  const [, keyId] = /^AWS4-HMAC-SHA256 Credential=([^/]+)\//.exec(headers.authorization ?? '') ?? [];
  if (keyId !== accessKeyId) return 'another key';
  return (headers['x-amz-security-token'] ?? null) === sessionToken ? null : 'another session';
}
