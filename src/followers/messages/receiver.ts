import type { Clock } from '../../base/clock.ts';
import { isMailUrl, sendMail } from './mail.ts';
import type { Message } from './message.ts';
import { post } from './webhook.ts';

/** Where messages go: a webhook, or mailboxes. */
export interface Receiver {
  /** May contain a token or a password, so it is never logged or stored. */
  readonly url: string;
  /** Key for signing messages to a webhook; null: not signed. */
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

/** Sends a message. Null: it was accepted; otherwise the reason, without the address. */
export async function send(needs: ReceiverNeeds, message: Message, signal: AbortSignal): Promise<string | null> {
  const { receiver, clock, timeoutMs = longestMs } = needs;
  const body = JSON.stringify(message);
  const outcome = isMailUrl(receiver.url)
    ? await sendMail(receiver.url, { message, body, timeoutMs }, signal)
    : await post(receiver, { message, body, at: clock.now(), timeoutMs }, signal);
  return outcome === 'silence' ? silence(needs) : outcome;
}
