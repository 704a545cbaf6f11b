import { createHmac } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { timeLimit } from '../../base/time-limit.ts';

/** A message to be sent. */
export interface NewMessage {
  /** Messages about one subject are sent in order. */
  readonly subject: string;
  /** Shown by Slack and Mattermost. */
  readonly text: string;
  /** Read by programs. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Limit of Discord (https://discord.com/developers/docs/resources/webhook#execute-webhook). */
const longestContent = 2_000;

/** A message as it is sent: `delivery` is the same when it is sent again, and Discord shows `content`. */
type Message = ReturnType<typeof messageOf>;
export const messageOf = (delivery: number, { text, fields }: Omit<NewMessage, 'subject'>) =>
  ({ version: 1, delivery, ...fields, text, content: text.slice(0, longestContent) }) as const;

/** The webhook to which messages go. */
export interface Receiver {
  /** May contain a token, so it is never logged or stored. */
  readonly url: string;
  /** Key for signing messages; null: not signed. */
  readonly secret: string | null;
}

export interface ReceiverNeeds {
  readonly clock: Clock;
  readonly receiver: Receiver;
  /** Timeout of a message (10 s). */
  readonly timeoutMs?: number;
}

const longestMs = 10_000;

/** The failure of a receiver that does not answer in time. */
export const silence = ({ timeoutMs = longestMs }: Pick<ReceiverNeeds, 'timeoutMs'>): string =>
  `no response within ${timeoutMs / 1_000} s`;

/**
 * Posts a message as JSON, signed if there is a secret. Null: accepted with 2xx; otherwise the reason, without the
 * address.
 */
export async function send(needs: ReceiverNeeds, message: Message, signal: AbortSignal): Promise<string | null> {
  const { clock, receiver, timeoutMs = longestMs } = needs;
  const { url, secret } = receiver;
  const body = JSON.stringify(message);
  const seconds = Math.floor(clock.now().getTime() / 1_000);
  // In a bundle it has only a default export.
  const { default: undici } = await import('undici');
  try {
    const { statusCode, body: answer } = await undici.request(url, {
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
      ? silence(needs)
      : `it could not be reached (${code ?? name})`;
  }
}

/** `sha256=` and the hexadecimal HMAC of the sending time in seconds, a dot and the body. */
function signatureOf(secret: string, seconds: number, body: string): string {
  return `sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;
}
