import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { collectEvents, isCollectionOwed } from '../../src/followers/watches/collect-events.ts';
import { deliverWatches } from '../../src/followers/watches/deliver-watches.ts';
import { createWatchLists } from '../../src/followers/watches/watch-lists.ts';
import { type Receiver, startReceiver } from '../alerts/receiver.ts';
import { dueMessages, playWatches } from '../prove/watches/play-watches.ts';
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
  let nights: readonly { readonly date: string }[];

  const owed = () => isCollectionOwed(database.db, 'uk');
  const deliver = () =>
    deliverWatches({ db: database.db, clock, log, receiver: { url: receiver.url, secret: null } }, signal);

  beforeAll(async () => {
    receiver = await startReceiver();
  });
  afterAll(() => receiver.close());

  test('200 rules over 10 nights: a receiver that fails every second time gets each due message once', async () => {
    const course = { seed: 31, products: 60, rules: 220, lists: 12, nights: 10 };
    const { broken, due, endedAt, nights: played } = await playWatches(database.db, receiver, course);
    expect(broken).toEqual([]);
    expect(due).toBeGreaterThan(20);
    expect(await owed()).toBe(false);
    [now, nights] = [endedAt, played];
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
    expect(sizes(kept)).toEqual(sizes(await dueMessages(database.db)));
    now = new Date(now.getTime() + 24 * hourMs);
    expect(await deliver()).toBe(0);
  });

  test('a product that nobody knows cannot be watched, and a rule is kept once', async () => {
    now = new Date('2030-01-01T00:00:00Z');
    const lists = createWatchLists({ db: database.db, clock });
    const rule = { list: 'mine', region: 'uk', productId: '1', rule: 'back', amount: null, createdBy: 'ann' } as const;
    expect(await lists.add({ ...rule, productId: 'no-such' })).toBeNull();
    const added = await lists.add(rule);
    expect(await lists.add(rule)).toBe(added);
    const kept = await rowsOf<{ id: string }>(
      database.db,
      `select watch_id as id from marts.watch where list = 'mine'`,
    );
    expect(kept).toEqual([{ id: added }]);
    expect(await owed()).toBe(false);
    await lists.remove(kept[0]!.id);
    expect(await rowsOf(database.db, `select from ops.watch where list = 'mine'`)).toEqual([]);
  });
});
