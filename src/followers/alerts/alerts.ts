import type { Database } from '../../db/client.ts';
import { type DeliverNeeds, deliver } from '../outbox/outbox.ts';
import {
  type Condition,
  hostConditions,
  ledgerConditions,
  type QuotaUsed,
  quotaConditions,
  type WatchedHost,
} from './conditions.ts';

interface AlertNeeds extends DeliverNeeds {
  readQuotas(now: Date): Promise<readonly QuotaUsed[]>;
  readHosts(): Promise<readonly WatchedHost[]>;
}

/** Evaluates all conditions, and sends pending messages, also those of watches, to a webhook. */
export async function checkAlerts(needs: AlertNeeds, signal: AbortSignal): Promise<void> {
  const { db, clock, readQuotas, readHosts } = needs;
  const now = clock.now();
  const conditions = [
    ...quotaConditions(await readQuotas(now)),
    ...(await ledgerConditions(db, now)),
    ...hostConditions(await readHosts()),
  ];
  await keepAlerts(db, conditions, now);
  await deliver(needs, signal);
}

/**
 * Updates the alerts in the ledger to the current conditions and adds messages: for new alerts, reminders once a day,
 * and alerts that are over. Concurrent processes record everything once.
 */
export async function keepAlerts(db: Database, conditions: readonly Condition[], now: Date): Promise<void> {
  await db.tx(async (tx) => {
    await tx.query('lock table ops.alert in exclusive mode');
    await tx.query(renewAlerts, [JSON.stringify(conditions), now]);
  });
}

const renewAlerts = `
  with holding as (
    select distinct on (kind, subject) kind, subject, message, advice
    from rows from (jsonb_to_recordset($1::jsonb) as (kind text, subject text, message text, advice text))
      with ordinality as condition (kind, subject, message, advice, place)
    order by kind, subject, place
  ), over as (
    update ops.alert a set notified_at = $2, ended_at = $2
    where ended_at is null and (kind, subject) not in (select kind, subject from holding)
    returning a.*
  ), reminded as (
    update ops.alert a set notified_at = $2, message = h.message, advice = h.advice
    from holding h
    where a.ended_at is null and a.kind = h.kind and a.subject = h.subject
      and a.notified_at <= $2::timestamptz - interval '24 hours'
    returning a.*
  ), raised as (
    insert into ops.alert (kind, subject, message, advice, raised_at, notified_at)
    select kind, subject, message, advice, $2, $2
    from holding
    where (kind, subject) not in (select kind, subject from ops.alert where ended_at is null)
    returning *
  )
  insert into ops.outbox (subject, text, fields, created_at, next_attempt_at)
  select kind || ' ' || subject, concat_ws(' ', opening || message, todo),
    jsonb_build_object('event', event, 'kind', kind, 'subject', subject, 'message', message, 'advice', todo,
      'raised_at', to_char(raised_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'ended_at', to_char(ended_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')), $2, $2
  from (
    select 1 as place, 'over' as event, 'Pricebook, over: ' as opening, null as todo, * from over
    union all
    select 2, 'reminder', 'Pricebook, still: ', advice, * from reminded
    union all
    select 3, 'raised', 'Pricebook: ', advice, * from raised
  ) as due
  order by place, alert_id`;
