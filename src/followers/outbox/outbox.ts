import { eq } from 'drizzle-orm';
import type { Log } from '../../base/log.ts';
import type { Database, Queryable, Transaction } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { outbox } from '../../db/tables/index.ts';
import { messageOf, type NewMessage, type ReceiverNeeds, send, silence } from './receiver.ts';

export interface DeliverNeeds extends ReceiverNeeds {
  readonly db: Database;
  readonly log: Pick<Log, 'warn'>;
}

/** Adds messages, in the transaction that records why they are sent. */
export async function addMessages(
  { orm }: Pick<Transaction, 'orm'>,
  messages: readonly NewMessage[],
  at: Date,
): Promise<void> {
  if (messages.length === 0) return;
  await orm.insert(outbox).values(messages.map((message) => ({ ...message, createdAt: at, nextAttemptAt: at })));
}

/**
 * Sends due messages, those of one subject in order. A failed message is retried after 30 s, a minute and so on up to
 * an hour, until the receiver answers with 2xx. It arrives twice only if the receiver or this process fails between its
 * arrival and the record of it. After a timeout the remaining messages wait for the next call. Returns the number of
 * accepted messages.
 */
export async function deliver(needs: DeliverNeeds, signal: AbortSignal): Promise<number> {
  const { db, clock, log } = needs;
  for (let sent = 0; ; ) {
    const message = signal.aborted ? undefined : await claim(db, clock.now());
    if (!message) return sent;
    const { messageId, subject, attempts } = message;
    const failure = await send(needs, messageOf(messageId, message), signal);
    await db.orm
      .update(outbox)
      .set({ lastError: failure, sentAt: failure === null ? clock.now() : null })
      .where(eq(outbox.messageId, messageId));
    if (failure === null) sent += 1;
    else log.warn({ subject, attempts, reason: failure }, 'ALERT_URL did not accept a message; it will be sent again');
    // The receiver hangs: every further message would wait as long, even during shutdown.
    if (failure === silence(needs)) return sent;
  }
}

type Claimed = NewMessage & Readonly<Record<'messageId' | 'attempts', number>>;

/** Claims a due message for a while; after a crash another process takes it. */
async function claim(db: Queryable, now: Date): Promise<Claimed | undefined> {
  const [message] = await camelRows<Claimed>(
    db,
    `with due as (
       select message_id from ops.outbox message
       where sent_at is null and next_attempt_at <= $1
         and not exists (
           select from ops.outbox earlier
           where earlier.subject = message.subject and earlier.message_id < message.message_id
             and earlier.sent_at is null)
       order by message_id limit 1
       for update skip locked
     )
     update ops.outbox message
     set attempts = attempts + 1,
       next_attempt_at = $1::timestamptz + least(interval '1 hour', interval '15 seconds' * 2 ^ least(attempts + 1, 10))
     from due
     where message.message_id = due.message_id
     returning message.message_id, message.subject, message.text, message.fields, message.attempts`,
    [now],
  );
  return message;
}
