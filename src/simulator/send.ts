import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Answer } from './answer.ts';
import type { FaultRule, Firing } from './fault-rules.ts';

/** A response with the gateway's headers and the faults that apply to it. */
interface Dispatch {
  readonly answer: Answer;
  readonly headers: Readonly<Record<string, string>>;
  readonly firings: readonly Firing[];
  readonly gzip: boolean;
}

/** Sends a response. Returns the status that the client sees; 0 if none. */
export function send(request: IncomingMessage, response: ServerResponse, dispatch: Dispatch): number {
  const fault = dispatch.firings.find(({ place }) => place === 'transport');
  if (fault) return accidents[fault.rule.kind]!(response, dispatch, fault.rule);
  const { answer } = dispatch;
  if (dispatch.gzip && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) {
    return sendWhole(response, dispatch, gzipSync(answer.body), { 'content-encoding': 'gzip' });
  }
  return sendWhole(response, dispatch);
}

function sendWhole(
  response: ServerResponse,
  { answer, headers }: Dispatch,
  body = Buffer.from(answer.body),
  more: Readonly<Record<string, string>> = {},
): number {
  response.writeHead(answer.status, { ...headers, ...more, 'content-length': body.length });
  response.end(body);
  return answer.status;
}

type Accident = (response: ServerResponse, dispatch: Dispatch, rule: FaultRule) => number;

const megabyte = 1_048_576;

const accidents: Readonly<Record<string, Accident>> = {
  /** Content-Length exceeds the body. */
  truncated: (response, dispatch, { bytes }) => sendPart(response, dispatch, bytes, () => response.destroy()),

  /** Neither Content-Length nor chunks: the connection ends within the body. */
  truncatedClose(response, { answer, headers }, { bytes }) {
    const body = Buffer.from(answer.body);
    response.useChunkedEncodingByDefault = false;
    response.removeHeader('transfer-encoding');
    response.shouldKeepAlive = false;
    response.writeHead(answer.status, headers);
    response.end(body.subarray(0, bytes ?? body.length >> 1));
    return answer.status;
  },

  reset(response) {
    response.socket?.resetAndDestroy();
    return 0;
  },

  resetMidBody: (response, dispatch, { bytes }) =>
    sendPart(response, dispatch, bytes, () => response.socket?.resetAndDestroy()),

  hang: () => 0,

  /** Single bytes at intervals, which no idle timeout detects. */
  drip(response, { answer, headers }, { ms = 1000 }) {
    const body = Buffer.from(answer.body);
    response.writeHead(answer.status, { ...headers, 'content-length': body.length });
    let sent = 0;
    const timer = setInterval(() => {
      response.write(body.subarray(sent, sent + 1));
      sent += 1;
      if (sent >= body.length) response.end();
    }, ms);
    response.once('close', () => clearInterval(timer));
    return answer.status;
  },

  slow(response, dispatch, { ms = 2000 }) {
    const timer = setTimeout(() => sendWhole(response, dispatch), ms);
    response.once('close', () => clearTimeout(timer));
    return dispatch.answer.status;
  },

  /** Very long valid JSON. */
  huge(response, { answer, headers }, { bytes = 100 * megabyte }) {
    response.writeHead(200, headers);
    pour(response, `${answer.body.slice(0, -1)},"filler":"`, 'x'.repeat(65_536), bytes, '"}');
    return 200;
  },

  gzipBomb(response, { headers }, { bytes = 100 * megabyte }) {
    const block = gzipSync(Buffer.alloc(megabyte, 0x20));
    response.writeHead(200, { ...headers, 'content-encoding': 'gzip' });
    pour(response, '', block, (bytes / megabyte) * block.length, '');
    return 200;
  },

  /** CVE-2026-22036: decoders that follow arbitrary chains of encodings. */
  chainedEncodings(response, dispatch) {
    const chain = Array<string>(8).fill('gzip');
    const packed = chain.reduce((body) => gzipSync(body), Buffer.from(dispatch.answer.body));
    return sendWhole(response, dispatch, packed, { 'content-encoding': chain.join(', ') });
  },

  deepJson(response, dispatch, { bytes: depth = 100_000 }) {
    const body = `{"success":true,"data":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    return sendWhole(response, dispatch, Buffer.from(body));
  },
};

/** Content-Length is that of the whole body. */
function sendPart(response: ServerResponse, dispatch: Dispatch, bytes: number | undefined, then: () => void): number {
  const body = Buffer.from(dispatch.answer.body);
  response.writeHead(dispatch.answer.status, { ...dispatch.headers, 'content-length': body.length });
  response.write(body.subarray(0, bytes ?? body.length >> 1), then);
  return dispatch.answer.status;
}

/** Writes `block` repeatedly up to `bytes`, with backpressure. */
function pour(response: ServerResponse, head: string, block: string | Buffer, bytes: number, tail: string): void {
  let left = bytes;
  if (head !== '') response.write(head);
  const more = (): void => {
    while (left > 0 && !response.destroyed) {
      left -= block.length;
      if (!response.write(block)) {
        response.once('drain', more);
        return;
      }
    }
    if (!response.destroyed) response.end(tail);
  };
  more();
}
