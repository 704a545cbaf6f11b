import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import type { Received } from './classify.ts';

/** Limit from sending to the last byte: a server that sends single bytes would reset every other timer. */
const totalLimitMs = 60_000;
/** Limit of decoded bytes; a page has about 24 KB, a whole taxonomy about 2 MB. */
const bodyLimitBytes = 8 * 1024 * 1024;

/** No usable response was received; the message states why. */
export class ExchangeFailed extends Error {
  override readonly name = 'ExchangeFailed';
  /** Whether somebody has to act before it can succeed. */
  readonly isLasting = lasting.test((this.cause as NodeJS.ErrnoException | undefined)?.code ?? '');
}

/** The connection was ready too late for its reservation; nothing was sent. */
export class TooLate extends Error {
  override readonly name = 'TooLate';
}

export interface Exchange {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  /** Called just before the request is written; false: it must not be sent any more. */
  readonly maySend?: () => boolean;
  readonly totalLimitMs?: number;
}

/**
 * Sends one GET and reads and decodes the whole response. Throws `ExchangeFailed`, or the signal's reason if it is
 * aborted.
 */
export async function exchange(origin: Dispatcher, request: Exchange): Promise<Received & { readonly bytes: Buffer }> {
  const { status, headers, chunks } = await receive(origin, request);
  const bytes = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
  const unpacked = await decode(bytes, headers['content-encoding']);
  return { status, headers, bytes: inUtf8(unpacked, String(headers['content-type'] ?? '')) };
}

/**
 * Uses undici's `dispatch`, because its `request` builds a stream for every body and cannot limit decoded size or total
 * duration.
 */
function receive(
  origin: Dispatcher,
  request: Exchange,
): Promise<Omit<Received, 'bytes'> & { readonly chunks: readonly Buffer[] }> {
  const { path, headers, signal } = request;
  const limitMs = request.totalLimitMs ?? totalLimitMs;
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let status = 0;
    let responseHeaders: Received['headers'] = {};
    let receivedBytes = 0;
    let wasGivenUp = false;
    const chunks: Buffer[] = [];

    const timer = setTimeout(
      () => giveUp(new ExchangeFailed(`no complete answer within ${limitMs / 1_000} s`)),
      limitMs,
    );
    const onAbort = () => giveUp(signal?.reason);
    if (signal?.aborted) return onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });

    function settled() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    }

    function giveUp(reason: unknown) {
      settled();
      reject(reason);
      wasGivenUp = true;
      controller?.abort(new Error('given up'));
    }
    origin.dispatch(
      { path, method: 'GET', headers },
      {
        onRequestStart(given) {
          controller = given;
          // Thrown: what is aborted takes its connection along, and the next one would open as late.
          if (wasGivenUp) throw new Error('given up');
          if (request.maySend?.() === false) throw new TooLate('its slot has expired');
        },
        onResponseStart(_controller, statusCode, given) {
          status = statusCode;
          responseHeaders = given as Received['headers'];
        },
        onResponseData(_controller, chunk) {
          receivedBytes += chunk.length;
          if (receivedBytes > bodyLimitBytes) giveUp(tooLarge());
          else chunks.push(chunk);
        },
        onResponseEnd() {
          settled();
          resolve({ status, headers: responseHeaders, chunks });
        },
        onResponseError(_controller, error) {
          settled();
          reject(error instanceof TooLate ? error : new ExchangeFailed(inWords(error), { cause: error }));
        },
      },
    );
  });
}

/** Converts a body to UTF-8 from its declared character set; unchanged if it declares none or an unknown one. */
function inUtf8(bytes: Buffer, contentType: string): Buffer {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType) ?? [];
  if (/^utf-?8$/i.test(charset)) return bytes;
  try {
    return Buffer.from(new TextDecoder(charset, { fatal: true }).decode(bytes));
  } catch {
    return bytes;
  }
}

const unzip = promisify(gunzip);

/** Decompresses a body. Only gzip is offered; other encodings and double encodings are refused. */
async function decode(bytes: Buffer, encoding: string | string[] | undefined): Promise<Buffer> {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase();
  if (name === '' || name === 'identity') return bytes;
  if (name !== 'gzip' && name !== 'x-gzip') throw new ExchangeFailed('the body has an encoding that was not offered');
  try {
    return await unzip(bytes, { maxOutputLength: bodyLimitBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    throw new ExchangeFailed('the compressed body is damaged', { cause: error });
  }
}

const tooLarge = () => new ExchangeFailed(`the body is larger than ${bodyLimitBytes / 1_048_576} MB`);

const untrusted =
  'its certificate is not signed by a trusted authority, so no key is sent; if you trust it, name a file with that ' +
  'authority in NODE_EXTRA_CA_CERTS';

const words: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed early',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be resolved now',
  EPRIVATE: 'its host name resolves to a private address, to which no key is sent',
  EHOSTUNREACH: 'its network is unreachable',
  ENETUNREACH: 'its network is unreachable',
  CERT_HAS_EXPIRED: 'its certificate has expired, so no key is sent',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate belongs to another host, so no key is sent',
  UND_ERR_CONNECT_TIMEOUT: 'it does not accept connections',
  UND_ERR_HEADERS_TIMEOUT: 'it did not begin to answer in time',
  UND_ERR_BODY_TIMEOUT: 'it stopped in the middle of the answer',
  UND_ERR_HEADERS_OVERFLOW: 'its headers are too large',
  UND_ERR_SOCKET: 'the connection was closed early',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its answer is shorter than announced',
};

/** Unknown names and certificates. */
const lasting = /^(ENOTFOUND|EPRIVATE|CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

function inWords(error: Error): string {
  const code = (error as NodeJS.ErrnoException).code ?? '';
  if (/^(DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/.test(code)) return untrusted;
  return words[code] ?? `${code || error.name}: ${error.message.slice(0, 200)}`;
}

/** Path and query as sent. Percent-encoded throughout: `+` for a space would change category ids, which are base64. */
export function requestTarget(path: string, query: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
