import type { Log } from '../../base/log.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Message, messageOf } from '../messages/message.ts';
import { type ReceiverNeeds, send, silence } from '../messages/receiver.ts';

interface Needs extends ReceiverNeeds {
  readonly db: Database;
  readonly log: Pick<Log, 'warn'>;
}

interface Collected extends Record<string, unknown> {
  readonly messageId: number;
  readonly list: string;
  readonly region: string;
  readonly night: string;
  readonly events: readonly { readonly title: string; readonly event: string }[];
  readonly attempts: number;
  /** Mailbox of the list; null: those of ALERT_URL. */
  readonly mailbox: string | null;
}

/**
 * Sends messages of watches until the receiver accepts them with 2xx: after 30 s, a minute and so on up to an hour. A
 * message arrives twice only if the receiver or this process fails between its arrival and the record of it; its
 * delivery name is then the same. Returns the number of accepted messages.
 */
export async function deliverWatches(needs: Needs, signal: AbortSignal): Promise<number> {
  const { db, clock, log } = needs;
  let sent = 0;
  while (!signal.aborted) {
    const [message] = await rowsOf<Collected>(db, claim, [clock.now()]);
    if (!message) break;
    const { messageId, attempts } = message;
    const failure = await send(needs, watchMessage(message), signal, message.mailbox);
    await db.query(
      'update ops.watch_message set last_error = $2, sent_at = case when $2::text is null then $3::timestamptz end ' +
        'where message_id = $1',
      [messageId, failure, clock.now()],
    );
    if (failure === null) sent += 1;
    else log.warn({ message: messageId, attempts, reason: failure }, 'ALERT_URL did not accept a message of a watch');
    // The receiver hangs: every further message would wait as long.
    if (failure === silence(needs)) break;
  }
  return sent;
}

function watchMessage({ messageId, list, region, night, events }: Collected): Message {
  const lines = events.map(({ title, event }) => `${title}: ${event}`);
  const text = [`Pricebook, ${list}, ${region} ${night}:`, ...lines].join('\n');
  return messageOf(`watch-${messageId}`, text, { event: 'watch', list, region, night, events });
}

/** Claims a due message for a while; after a crash another process takes it. */
const claim = `
  with due as (
    select message_id from ops.watch_message
    where sent_at is null and next_attempt_at <= $1
    order by message_id limit 1
    for update skip locked
  )
  update ops.watch_message m
  set attempts = attempts + 1,
    next_attempt_at = $1::timestamptz + least(interval '1 hour', interval '15 seconds' * 2 ^ least(attempts + 1, 10))
  from due
  where m.message_id = due.message_id
  returning m.message_id as "messageId", m.list, m.region, m.snapshot_date as night, m.events, m.attempts,
    (select box.address from ops.watch_mailbox box where box.list = m.list) as mailbox`;
