import type { Clock } from '../../base/clock.ts';
import { isMailUrl, readMailUrl, sendMail } from './mail.ts';
import type { Message } from './message.ts';
import { post } from './webhook.ts';

/** Where messages go: a webhook, or mailboxes. */
export interface Receiver {
  /** May contain a token or a password, so it is never logged or stored. */
  readonly url: string;
  /** Key for signing messages to a webhook; null: not signed. */
  readonly secret: string | null;
}

/** Where messages go, as far as people may know it. */
export type Destination =
  | { readonly kind: 'mail'; readonly addresses: readonly string[] }
  | { readonly kind: 'webhook'; readonly host: string };

export function destinationOf(url: string): Destination {
  return isMailUrl(url)
    ? { kind: 'mail', addresses: readMailUrl(url).to }
    : { kind: 'webhook', host: new URL(url).hostname };
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
 * Sends a message; an e-mail to `mailbox` if there is one. Null: it was accepted; otherwise the reason, without the
 * address.
 */
export async function send(
  needs: ReceiverNeeds,
  message: Message,
  signal: AbortSignal,
  mailbox: string | null = null,
): Promise<string | null> {
  const { receiver, clock, timeoutMs = longestMs } = needs;
  const body = JSON.stringify(message);
  const outcome = isMailUrl(receiver.url)
    ? await sendMail(receiver.url, { message, body, timeoutMs, ...(mailbox && { to: [mailbox] }) }, signal)
    : await post(receiver, { message, body, at: clock.now(), timeoutMs }, signal);
  return outcome === 'silence' ? silence(needs) : outcome;
}
