import type { Log } from '../../base/log.ts';
import type { Database } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type ReceiverNeeds, send, silence } from '../messages/receiver.ts';
import { alertMessage, type Told } from './message.ts';

export interface DeliverNeeds extends ReceiverNeeds {
  readonly db: Database;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Sends pending messages, those of one alert in order. A failed message is retried after 15 s, 30 s, a minute and so on
 * up to an hour, until the receiver answers with 2xx. A message may arrive twice if the process is killed before
 * recording success. After a timeout the remaining messages wait for the next call. Returns the number of delivered
 * messages.
 */
export async function deliverAlerts(needs: DeliverNeeds, signal: AbortSignal): Promise<number> {
  const { db, clock, log } = needs;
  let taken = 0;
  while (!signal.aborted) {
    const [told] = await rowsOf<Told & { attempts: number }>(db, claim, [clock.now()]);
    if (!told) return taken;
    const failure = await send(needs, alertMessage(told), signal);
    if (failure === null) {
      await db.query('update ops.alert_delivery set delivered_at = $2, last_error = null where delivery_id = $1', [
        told.deliveryId,
        clock.now(),
      ]);
      taken += 1;
    } else {
      await db.query('update ops.alert_delivery set last_error = $2 where delivery_id = $1', [
        told.deliveryId,
        failure,
      ]);
      log.warn(
        { alert: told.kind, attempts: told.attempts, reason: failure },
        'ALERT_URL did not accept an alert; it will be sent again',
      );
      // The receiver hangs: every further message would wait as long, even during shutdown.
      if (failure === silence(needs)) return taken;
    }
  }
  return taken;
}

/** Claims a due message for a while; after a crash another process takes it. */
const claim = `
  with due as (
    select d.delivery_id from ops.alert_delivery d join ops.alert a using (alert_id)
    where d.delivered_at is null and d.next_attempt_at <= $1
      and not exists (
        select from ops.alert_delivery earlier join ops.alert e using (alert_id)
        where e.kind = a.kind and e.subject = a.subject and earlier.delivery_id < d.delivery_id
          and earlier.delivered_at is null)
    order by d.delivery_id limit 1
    for update of d skip locked
  )
  update ops.alert_delivery d
  set attempts = attempts + 1,
    next_attempt_at = $1::timestamptz + least(interval '1 hour', interval '15 seconds' * 2 ^ least(attempts, 10))
  from due, ops.alert a
  where d.delivery_id = due.delivery_id and a.alert_id = d.alert_id
  returning d.delivery_id as "deliveryId", d.event, d.attempts, a.kind, a.subject, a.says, a.advice,
    a.raised_at as "raisedAt",
    case when d.event = 'over' then a.over_at end as "overAt"`;
