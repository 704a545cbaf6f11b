import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { watchRules } from '../../src/base/model/watch-rule.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { collectEvents, isCollectionOwed } from '../../src/followers/watches/collect-events.ts';
import { deliverWatches } from '../../src/followers/watches/deliver-watches.ts';
import { createWatchLists } from '../../src/followers/watches/watch-lists.ts';
import { type Receiver, startReceiver } from '../alerts/receiver.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { createChance } from '../support/chance.ts';
import { useDatabase } from '../support/database.ts';

const hourMs = 3_600_000;

describe('watches', () => {
  const database = useDatabase();
  const { signal } = new AbortController();
  const log = createLog({ level: 'silent' });
  let receiver: Receiver;
  let now = new Date();
  const clock = { now: () => now };
  /** Certified nights with the instant of their publication. */
  let nights: { date: string; runId: number; finishedAt: Date }[];

  const owed = () => isCollectionOwed(database.db, 'uk');
  const collect = () => collectEvents({ db: database.db, clock, hasReceiver: true }, 'uk');
  const deliver = () =>
    deliverWatches({ db: database.db, clock, log, receiver: { url: receiver.url, secret: null } }, signal);
  const pending = async () =>
    (
      await rowsOf<{ n: number }>(database.db, 'select count(*)::int as n from ops.watch_message where sent_at is null')
    )[0]!.n;
  const told = () => receiver.taken.map(({ body }) => `${body['list']} ${body['night']}`);
  /** Messages that are due: the events of all rules on nights published after the rule was added. */
  const due = () =>
    rowsOf<{ message: string; events: { watch_id: string; event: string }[] }>(
      database.db,
      `select w.list || ' ' || e.snapshot_date as message, json_agg(
         json_build_object('watch_id', w.watch_id, 'event', e.event)
         order by e.title, e.product_key, e.rule, e.amount) as events
       from ops.watch w
       cross join lateral marts.watch_events(array[w.product_key], array[w.rule], array[w.amount]) as e
       join ops.run run on run.region = 'uk' and run.snapshot_date = e.snapshot_date and run.finished_at >= w.created_at
         and run.run_id = (select n.run_id from derived.night n where n.snapshot_date = e.snapshot_date)
       group by 1 order by 1`,
    );

  beforeAll(async () => {
    receiver = await startReceiver();
    const packs = [{ product: 1, on: '2026-02-01', grams: [500, 450] }] as const;
    await fillRandomBook(database.db, { seed: 31, first: '2026-01-01', runs: 45, products: 60, packs }, 60);
    await database.db.query(`update ops.run set finished_at = observed_at + interval '2 hours'`);
    await deriveNights(database.db, 'uk');
    nights = await rowsOf(
      database.db,
      `select n.snapshot_date::text as date, run_id as "runId", finished_at as "finishedAt"
       from derived.night n join ops.run using (run_id) where n.region = 'uk' order by 1`,
    );
  });
  afterAll(() => receiver.close());

  const addRules = async (count: number, seed: number): Promise<void> => {
    const lists = createWatchLists({ db: database.db, clock });
    const draw = createChance(seed);
    const now = await rowsOf<{ id: string; price: string }>(
      database.db,
      `select product_id as id, least(price, loyalty_price) as price from marts.as_of('uk', $1) where price > 0`,
      [nights.at(-8)!.date],
    );
    const prices = new Map(now.map(({ id, price }) => [id, Number(price)]));
    for (let n = 0; n < count; n++) {
      const rule = watchRules[Math.max(0, draw.whole(-6, watchRules.length - 1))]!;
      const productId = String(draw.whole(1, 60));
      // Near the price, so that it comes true now and then.
      const amount = rule === 'below' ? Math.round((prices.get(productId) ?? 3) * draw.whole(88, 103)) / 100 : null;
      const list = `list-${draw.whole(1, 12)}`;
      await lists.add({ list, region: 'uk', productId, rule, amount, createdBy: null });
    }
  };

  test('a product that nobody knows cannot be watched, and a rule is kept once', async () => {
    now = new Date('2030-01-01T00:00:00Z');
    const lists = createWatchLists({ db: database.db, clock });
    const rule = { list: 'mine', region: 'uk', productId: '1', rule: 'back', amount: null, createdBy: 'ann' } as const;
    expect(await lists.add({ ...rule, productId: 'no-such' })).toBe(false);
    expect([await lists.add(rule), await lists.add(rule)]).toEqual([true, true]);
    const kept = await rowsOf<{ id: string }>(database.db, 'select watch_id as id from marts.watch');
    expect(kept).toHaveLength(1);
    expect(await owed()).toBe(false);
    await lists.remove(kept[0]!.id);
    expect(await rowsOf(database.db, 'select from ops.watch')).toEqual([]);
  });

  test('200 rules over 10 nights: a receiver that fails every second time gets each due message once', async () => {
    const last = nights.slice(-10);
    await database.db.query('delete from derived.night where snapshot_date >= $1', [last[0]!.date]);
    now = new Date(last[0]!.finishedAt.getTime() - hourMs);
    await addRules(150, 1);
    expect(await owed()).toBe(false);
    receiver.behave((nth) => (nth % 2 === 1 ? 500 : 200));
    for (const [n, { date, runId, finishedAt }] of last.entries()) {
      now = new Date(finishedAt.getTime() - hourMs);
      if (n === 5) await addRules(70, 2);
      await database.db.query(
        `insert into derived.night (region, snapshot_date, run_id, rules) values ('uk', $1, $2, 1)`,
        [date, runId],
      );
      now = new Date(finishedAt.getTime() + 60_000);
      expect(await Promise.all([collect(), collect()])).toContain(1);
      expect(await owed()).toBe(false);
      for (let tries = 0; (await pending()) > 0 && tries < 20; tries++) {
        await deliver();
        now = new Date(now.getTime() + hourMs);
      }
    }
    const [rules] = await rowsOf<{ n: number }>(database.db, 'select count(*)::int as n from ops.watch');
    expect(rules!.n).toBeGreaterThanOrEqual(200);
    const expected = await due();
    expect(expected.length).toBeGreaterThan(20);
    expect(told().sort()).toEqual(expected.map(({ message }) => message));
    const events = new Map(receiver.taken.map(({ body }) => [`${body['list']} ${body['night']}`, body['events']]));
    for (const { message, events: of } of expected)
      expect(events.get(message)).toEqual(of.map((event) => expect.objectContaining(event)));
  });

  test('a night that is derived again, as after a release or a replay, is not told again', async () => {
    const before = receiver.taken.length;
    await database.db.tx((tx) => forgetDerived(tx, 'uk', nights.at(-4)!.date));
    await deriveNights(database.db, 'uk');
    expect(await owed()).toBe(false);
    now = new Date(now.getTime() + 24 * hourMs);
    expect(await deliver()).toBe(0);
    expect(receiver.taken).toHaveLength(before);
  });

  test('a message keeps its delivery name when it is sent again, and chat tools can show it', async () => {
    await database.db.query(
      'update ops.watch_message set sent_at = null where message_id = (select min(message_id) from ops.watch_message)',
    );
    const delivery = (message: (typeof receiver.taken)[number]) => message.headers['x-pricebook-delivery'];
    const first = receiver.taken.find((message) => delivery(message) === 'watch-1');
    receiver.behave(() => 200);
    now = new Date(now.getTime() + 24 * hourMs);
    expect(await deliver()).toBe(1);
    const again = receiver.taken.at(-1)!;
    expect(delivery(again)).toBe('watch-1');
    expect(again.text).toBe(first!.text);
    expect(again.body['text']).toMatch(/^Pricebook, list-\d+, uk \d{4}-\d\d-\d\d:\n(Product|Pack) .+: .+\.$/m);
  });

  test('without a webhook, events are kept for feeds and are not sent when one is configured later', async () => {
    await database.db.query('truncate ops.watch_night, ops.watch_message');
    while (await owed()) await collectEvents({ db: database.db, clock, hasReceiver: false }, 'uk');
    const kept = await rowsOf<{ message: string; events: unknown[] }>(
      database.db,
      `select list || ' ' || snapshot_date as message, events from ops.watch_message order by 1`,
    );
    const sizes = (messages: typeof kept) => messages.map(({ message, events }) => [message, events.length]);
    expect(sizes(kept)).toEqual(sizes(await due()));
    now = new Date(now.getTime() + 24 * hourMs);
    expect(await deliver()).toBe(0);
  });
});
