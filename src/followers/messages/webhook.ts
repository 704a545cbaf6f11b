import { createHmac } from 'node:crypto';
import { timeLimit } from '../../base/time-limit.ts';
import type { Message } from './message.ts';

interface Posted {
  readonly message: Message;
  /** The message as JSON. */
  readonly body: string;
  readonly at: Date;
  readonly timeoutMs: number;
}

/** Posts JSON, signed if there is a secret. Null: accepted with 2xx; `silence`: no answer in time; else the reason. */
export async function post(
  { url, secret }: { readonly url: string; readonly secret: string | null },
  { message, body, at, timeoutMs }: Posted,
  signal: AbortSignal,
): Promise<string | null> {
  const seconds = Math.floor(at.getTime() / 1_000);
  const { request } = await import('undici');
  try {
    const { statusCode, body: answer } = await request(url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-pricebook-delivery': String(message.delivery),
        'x-pricebook-timestamp': String(seconds),
        ...(secret === null ? {} : { 'x-pricebook-signature': signatureOf(secret, seconds, body) }),
      },
      signal: timeLimit(timeoutMs, signal),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    await answer.dump();
    return statusCode >= 200 && statusCode < 300 ? null : `it answered ${statusCode}`;
  } catch (error) {
    const { name, code } = error as { name: string; code?: string };
    return name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
      ? 'silence'
      : `it could not be reached (${code ?? name})`;
  }
}

/** `sha256=` and the hexadecimal HMAC of the sending time in seconds, a dot and the body. */
function signatureOf(secret: string, seconds: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
