import { createHmac } from 'node:crypto';
import { request } from 'undici';
import type { Clock } from '../base/clock.ts';

/** Receiver of messages. */
export interface Webhook {
  /** May contain a token, so it is never logged or stored. */
  readonly url: string;
  /** Key for signing messages; null: not signed. */
  readonly secret: string | null;
}

export interface WebhookNeeds {
  readonly clock: Clock;
  readonly webhook: Webhook;
  /** Timeout of a request (10 s). */
  readonly timeoutMs?: number;
}

const longestMs = 10_000;

/** The failure of a receiver that does not answer in time. */
export const silence = ({ timeoutMs = longestMs }: Pick<WebhookNeeds, 'timeoutMs'>): string =>
  `no response within ${timeoutMs / 1_000} s`;

/**
 * Posts JSON. `delivery` names the message: it is the same when the message is sent again. Null: accepted with 2xx;
 * otherwise the reason, without the address.
 */
export async function post(
  { webhook, clock, timeoutMs = longestMs }: WebhookNeeds,
  { delivery, body }: { readonly delivery: string; readonly body: string },
  signal: AbortSignal,
): Promise<string | null> {
  const seconds = Math.floor(clock.now().getTime() / 1_000);
  try {
    const { statusCode, body: answer } = await request(webhook.url, {
      method: 'POST',
      body,
      headers: {
        'content-type': 'application/json',
        'x-pricebook-delivery': delivery,
        'x-pricebook-timestamp': String(seconds),
        ...(webhook.secret === null ? {} : { 'x-pricebook-signature': signatureOf(webhook.secret, seconds, body) }),
      },
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    });
    await answer.dump();
    return statusCode >= 200 && statusCode < 300 ? null : `it answered ${statusCode}`;
  } catch (error) {
    const { name, code } = error as { name: string; code?: string };
    return name === 'TimeoutError' || code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT'
      ? silence({ timeoutMs })
      : `it could not be reached (${code ?? name})`;
  }
}

/** `sha256=` and the hexadecimal HMAC of the sending time in seconds, a dot and the body. */
function signatureOf(secret: string, seconds: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
