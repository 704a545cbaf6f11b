import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { Condition } from './condition.ts';
import { ofFolder } from './room.ts';

/** Interval of reminders for an active alert. */
const remindAfterHours = 24;

/** An alert about a folder ends if no process has confirmed it for longer than the reminder interval. */
const silentAfterHours = remindAfterHours + 1;

/**
 * Updates the alerts in the ledger to the current conditions and records messages: for new alerts, reminders once a
 * day, and alerts that are over. Concurrent processes record everything once. `folder`: subject of alerts about this
 * process's data folder; alerts about other folders are left to processes that see them.
 */
export async function keepAlerts(
  db: Database,
  conditions: readonly Condition[],
  now: Date,
  folder: string | null = null,
): Promise<void> {
  const first = new Map(conditions.map((condition) => [`${condition.kind} ${condition.subject}`, condition]));
  await db.tx(async (tx) => {
    await tx.query('lock table ops.alert in exclusive mode');
    await tx.query(selectHolding, [
      [...first.values()].map(({ kind }) => kind),
      [...first.values()].map(({ subject }) => subject),
      [...first.values()].map(({ says }) => says),
      [...first.values()].map(({ advice }) => advice),
    ]);
    await tell(tx, 'over', over, [now, folder]);
    await tell(tx, 'reminder', remind, [now]);
    await tell(tx, 'raised', raise, [now]);
    await tx.query('drop table holding');
  });
}

async function tell(
  tx: Queryable,
  event: 'raised' | 'reminder' | 'over',
  change: string,
  values: readonly [now: Date, ...others: unknown[]],
): Promise<void> {
  const alerts = await rowsOf<{ alertId: number }>(tx, change, values);
  await tx.query(
    `insert into ops.alert_delivery (alert_id, event, created_at, next_attempt_at)
     select id, $2::ops.alert_event, $3, $3 from unnest($1::bigint[]) as id order by id`,
    [alerts.map(({ alertId }) => alertId), event, values[0]],
  );
}

const selectHolding = `
  create temporary table holding on commit drop as
  select kind, subject, says, advice
  from unnest($1::text[], $2::text[], $3::text[], $4::text[]) as c (kind, subject, says, advice)`;

const over = `
  update ops.alert a
  set over_at = $1, told_at = $1
  where over_at is null and not exists (select from holding h where h.kind = a.kind and h.subject = a.subject)
    and (a.kind <> 'no_room' or a.subject not like '${ofFolder}%' or a.subject = $2::text
      or a.told_at <= $1::timestamptz - interval '${silentAfterHours} hours')
  returning alert_id as "alertId"`;

const remind = `
  update ops.alert a
  set told_at = $1, says = h.says, advice = h.advice
  from holding h
  where a.over_at is null and h.kind = a.kind and h.subject = a.subject
    and a.told_at <= $1::timestamptz - interval '${remindAfterHours} hours'
  returning a.alert_id as "alertId"`;

const raise = `
  insert into ops.alert (kind, subject, says, advice, raised_at, told_at)
  select kind, subject, says, advice, $1, $1 from holding order by kind, subject
  on conflict (kind, subject) where over_at is null do nothing
  returning alert_id as "alertId"`;
