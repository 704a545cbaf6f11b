import { createLog } from '../../../src/base/log.ts';
import { watchRules } from '../../../src/base/model/watch-rule.ts';
import type { Database } from '../../../src/db/client.ts';
import { rowsOf } from '../../../src/db/rows.ts';
import { deriveNights } from '../../../src/followers/derive/derive-nights.ts';
import { collectEvents } from '../../../src/followers/watches/collect-events.ts';
import { deliverWatches } from '../../../src/followers/watches/deliver-watches.ts';
import { createWatchLists } from '../../../src/followers/watches/watch-lists.ts';
import type { Receiver } from '../../alerts/receiver.ts';
import { fillRandomBook } from '../../derive/random-book.ts';
import { createChance } from '../../support/chance.ts';

interface Course {
  readonly seed: number;
  readonly products: number;
  readonly rules: number;
  readonly lists: number;
  /** Last certified nights of the book that are collected one by one. */
  readonly nights: number;
}

interface Night {
  readonly date: string;
  readonly runId: number;
  readonly finishedAt: Date;
}

export interface Played {
  /** Violations, as sentences. */
  readonly broken: readonly string[];
  readonly due: number;
  readonly events: number;
  /** Requests that the receiver refused. */
  readonly failed: number;
  readonly secondsPerNight: readonly number[];
  /** All certified nights of the book. */
  readonly nights: readonly Night[];
  readonly endedAt: Date;
}

const hourMs = 3_600_000;

/** Messages that are due: the events of all rules on nights published after the rule was added. */
export const dueMessages = (db: Database) =>
  rowsOf<{ message: string; events: { watch_id: string; event: string }[] }>(
    db,
    `with rules as (
       select array_agg(watch_id order by watch_id) as ids, array_agg(product_key order by watch_id) as keys,
         array_agg(rule order by watch_id) as rules, array_agg(amount order by watch_id) as amounts
       from ops.watch)
     select w.list || ' ' || e.snapshot_date as message, json_agg(
       json_build_object('watch_id', w.watch_id, 'event', e.event)
       order by e.title, e.product_key, e.rule, e.amount) as events
     from rules
     cross join lateral marts.watch_events(rules.keys, rules.rules, rules.amounts) as e
     join ops.watch w on w.watch_id = rules.ids[e.place]
     join derived.night n on n.region = 'uk' and n.snapshot_date = e.snapshot_date
     join ops.run run on run.run_id = n.run_id and run.finished_at >= w.created_at
     group by 1 order by 1`,
  );

/**
 * Fills an empty database with a random book and rules, a third of them added halfway. Publishes its last nights one by
 * one; two processes collect each, and the receiver fails every second time.
 */
export async function playWatches(db: Database, receiver: Receiver, course: Course): Promise<Played> {
  const { seed, products, rules, lists, nights: count } = course;
  const packs = [{ product: 1, on: '2026-02-01', grams: [500, 450] }] as const;
  await fillRandomBook(db, { seed, first: '2026-01-01', runs: Math.ceil(count * 1.3) + 32, products, packs }, products);
  await db.query(`update ops.run set finished_at = observed_at + interval '2 hours'`);
  await deriveNights(db, 'uk');
  const nights = await rowsOf<Night & Record<string, unknown>>(
    db,
    `select n.snapshot_date::text as date, run_id as "runId", finished_at as "finishedAt"
     from derived.night n join ops.run using (run_id) where n.region = 'uk' order by 1`,
  );
  const last = nights.slice(-count);
  await db.query('delete from derived.night where snapshot_date >= $1', [last[0]!.date]);

  let now = new Date(last[0]!.finishedAt.getTime() - hourMs);
  const clock = { now: () => now };
  const log = createLog({ level: 'silent' });
  const watchLists = createWatchLists({ db, clock });
  const draw = createChance(seed);
  const added = new Set<string | null>();
  const prices = await rowsOf<{ id: string; price: string }>(
    db,
    `select product_id as id, least(price, loyalty_price) as price from marts.as_of('uk', $1) where price > 0`,
    [last[Math.floor(count / 3)]!.date],
  );
  const priceOf = new Map(prices.map(({ id, price }) => [id, Number(price)]));
  const addUpTo = async (total: number) => {
    while (added.size < total) {
      const rule = watchRules[Math.max(0, draw.whole(-6, watchRules.length - 1))]!;
      const productId = String(draw.whole(1, products));
      // Near the price, so that it comes true now and then.
      const near = Math.round((priceOf.get(productId) ?? 3) * draw.whole(88, 103)) / 100;
      const list = `list-${draw.whole(1, lists)}`;
      const amount = rule === 'below' ? near : null;
      added.add(await watchLists.add({ list, region: 'uk', productId, rule, amount, createdBy: null }));
    }
  };
  await addUpTo(Math.floor((2 * rules) / 3));

  let failed = 0;
  receiver.behave((nth) => {
    if (nth % 2 === 0) return 200;
    failed += 1;
    return 500;
  });
  const collect = () => collectEvents({ db, clock, hasReceiver: true }, 'uk');
  const to = { url: receiver.url, secret: null };
  const secondsPerNight: number[] = [];
  for (const [n, { date, runId, finishedAt }] of last.entries()) {
    now = new Date(finishedAt.getTime() - hourMs);
    if (n === Math.floor(count / 2)) await addUpTo(rules);
    await db.query(`insert into derived.night (region, snapshot_date, run_id, rules) values ('uk', $1, $2, 1)`, [
      date,
      runId,
    ]);
    now = new Date(finishedAt.getTime() + 60_000);
    const startedAt = performance.now();
    await Promise.all([collect(), collect()]);
    for (let tries = 0; tries < 20; tries++) {
      await deliverWatches({ db, clock, log, receiver: to }, new AbortController().signal);
      const owed = await rowsOf(db, 'select from ops.watch_message where sent_at is null limit 1');
      if (owed.length === 0) break;
      now = new Date(now.getTime() + hourMs);
    }
    secondsPerNight.push((performance.now() - startedAt) / 1_000);
  }
  const due = await dueMessages(db);
  return {
    broken: differences(due, receiver),
    due: due.length,
    events: due.reduce((sum, { events }) => sum + events.length, 0),
    failed,
    secondsPerNight,
    nights,
    endedAt: now,
  };
}

/** What was missed, told twice, or told otherwise. */
function differences(due: Awaited<ReturnType<typeof dueMessages>>, { taken }: Receiver): string[] {
  const broken: string[] = [];
  const told = new Map<string, unknown[]>();
  for (const { body } of taken) {
    const name = `${body['list']} ${body['night']}`;
    told.set(name, [...(told.get(name) ?? []), body['events']]);
  }
  const shown = (events: readonly { readonly watch_id: string; readonly event: string }[]) =>
    JSON.stringify(events.map(({ watch_id, event }) => [watch_id, event]));
  for (const { message, events } of due) {
    const messages = told.get(message) ?? [];
    if (messages.length !== 1) broken.push(`${message} arrived ${messages.length} times`);
    else if (shown(messages[0] as typeof events) !== shown(events)) broken.push(`${message} has other events`);
    told.delete(message);
  }
  for (const name of told.keys()) broken.push(`${name} was not due`);
  return broken;
}
