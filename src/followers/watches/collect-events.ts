import type { Clock } from '../../base/clock.ts';
import type { RegionCode } from '../../base/model/index.ts';
import type { Database, Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

interface Needs {
  readonly db: Pick<Database, 'tx'>;
  readonly clock: Clock;
  /** Whether messages are sent; otherwise they are kept for feeds only. */
  readonly hasReceiver: boolean;
}

/** Whether a night was published after a rule was added and its events are still to be collected. */
export async function isCollectionOwed(sql: Queryable, region: RegionCode): Promise<boolean> {
  return (await rowsOf(sql, nextNight, [region])).length > 0;
}

/**
 * Writes one message for each list with events on the next night, and the night itself, in one transaction. A night is
 * collected once, whatever happens to it later. Returns the number of collected nights.
 */
export async function collectEvents({ db, clock, hasReceiver }: Needs, region: RegionCode): Promise<number> {
  return db.tx(async (tx) => {
    const [night] = await rowsOf<{ date: string; finishedAt: Date; before: Date | null }>(tx, nextNight, [region]);
    if (!night) return 0;
    // Another process that collects the same night waits here, then has nothing to do.
    const { rowCount } = await tx.query(
      `insert into ops.watch_night (region, snapshot_date, collected_at) values ($1, $2, $3) on conflict do nothing`,
      [region, night.date, clock.now()],
    );
    if (rowCount === 0) return 0;
    const { date, finishedAt, before } = night;
    await tx.query(insertMessages, [region, date, finishedAt, before ?? '-infinity', clock.now(), hasReceiver]);
    return 1;
  });
}

const nextNight = `
  select n.snapshot_date as date, run.finished_at as "finishedAt", (
    select max(earlier_run.observed_at)
    from derived.night earlier
    join ops.run earlier_run on earlier_run.run_id = earlier.run_id
    where earlier.region = n.region and earlier.snapshot_date < n.snapshot_date
  ) as before
  from derived.night n
  join ops.run run on run.run_id = n.run_id
  where n.region = $1
    and run.finished_at >= (select min(w.created_at) from ops.watch w where w.region = n.region)
    and not exists (
      select from ops.watch_night done where done.region = n.region and done.snapshot_date = n.snapshot_date)
  order by n.snapshot_date
  limit 1`;

/**
 * Only rules whose product has changed since the certified night before can come true: everything else is left out
 * before the histories are read.
 */
const insertMessages = `
  with changed as (
    select w.*
    from ops.watch w
    join catalog.product_current c using (product_key)
    where w.region = $1 and w.created_at <= $3 and (
      greatest(c.price_since, c.availability_since, c.offer_since) > $4
      or exists (select from catalog.price_history h where h.product_key = w.product_key and h.valid_to > $4)
      or exists (select from catalog.availability_history h where h.product_key = w.product_key and h.valid_to > $4)
      or exists (select from catalog.offer_history h where h.product_key = w.product_key and h.valid_to > $4)
      or w.rule = 'discount' and exists (
        select from derived.promotion_start s where s.product_key = w.product_key and s.snapshot_date = $2)
      or w.rule = 'shrank' and exists (
        select from derived.pack_change p
        where p.region = $1 and p.confirmed_on = $2 and w.product_key in (p.product_key, p.former_product_key)))
  ), rules as (
    select array_agg(watch_id order by watch_id) as ids, array_agg(list order by watch_id) as lists,
      array_agg(product_key order by watch_id) as product_keys, array_agg(rule order by watch_id) as rules,
      array_agg(amount order by watch_id) as amounts
    from changed
  )
  insert into ops.watch_message (list, region, snapshot_date, events, created_at, next_attempt_at)
  select rules.lists[e.place], $1, $2,
    jsonb_agg(
      jsonb_build_object(
        'watch_id', rules.ids[e.place], 'product_id', e.product_id, 'title', e.title, 'rule', e.rule,
        'amount', e.amount, 'event', e.event, 'price', e.price, 'currency', e.currency)
      order by e.title, e.product_key, e.rule, e.amount),
    $5, case when $6 then $5::timestamptz end
  from rules
  cross join lateral marts.watch_events(rules.product_keys, rules.rules, rules.amounts, $2, $2) as e
  group by 1
  on conflict do nothing`;
