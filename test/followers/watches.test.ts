import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAsker } from '../../src/app/ask-saved-question.ts';
import { createLog } from '../../src/base/log.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { deliver as deliverMessages } from '../../src/followers/outbox/outbox.ts';
import { addWatch, followWatches, listWatches, owedWatches } from '../../src/followers/watches/watches.ts';
import { type Receiver, startReceiver } from '../alerts/receiver.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { fillRandomBook } from '../derive/random-book.ts';
import { useDatabase } from '../support/database.ts';

const hourMs = 3_600_000;

describe('watches', () => {
  const database = useDatabase();
  const cliHome = useCliHome();
  const { signal } = new AbortController();
  const log = createLog({ level: 'silent' });
  let receiver: Receiver;
  let now = new Date('2026-05-01T00:00:00Z');
  const clock = { now: () => now };

  const needs = () => ({ db: database.db, clock, ask: createAsker(database.db) });
  const follow = () => followWatches(needs(), signal);
  const deliver = () =>
    deliverMessages({ db: database.db, clock, log, receiver: { url: receiver.url, secret: null } }, signal);
  const deliverAll = async () => {
    for (let round = 0; round < 20; round++) {
      await deliver();
      now = new Date(now.getTime() + hourMs);
    }
  };
  const changesSince = (date: string) =>
    rowsOf<{ night: string; product_id: string }>(
      database.db,
      `select snapshot_date::text as night, product_id from marts.fct_price_change
       where snapshot_date >= $1 order by 1, 2`,
      [date],
    );
  const sent = () =>
    receiver.taken
      .filter(({ body }) => body['name'] === 'changes')
      .flatMap(({ body }) => body['rows'] as Record<string, unknown>[])
      .map((row) => `${row['snapshot_date']} ${row['product_id']}`)
      .sort();

  let nights: string[] = [];

  beforeAll(async () => {
    receiver = await startReceiver();
    await fillRandomBook(database.db, { seed: 31, first: '2026-01-01', runs: 16, products: 40 });
    await deriveNights(database.db, 'uk');
    nights = (
      await rowsOf<{ night: string }>(database.db, 'select snapshot_date::text as night from derived.night order by 1')
    ).map(({ night }) => night);
  });
  afterAll(() => receiver.close());

  /** Makes the last nights unknown, as they are before they are published. */
  const hideFrom = (date: string) =>
    database.db.query(`update ops.run set status = 'held' where snapshot_date >= $1`, [date]);
  const publish = (date: string) =>
    database.db.query(`update ops.run set status = 'published' where snapshot_date = $1`, [date]);

  test('every new row of a question arrives once, also if the receiver fails and two processes look', async () => {
    const first = nights.at(-6)!;
    await hideFrom(first);
    await deriveNights(database.db, 'uk');
    await addWatch(needs(), { name: 'changes', question: 'changes', parameters: { region: 'uk' } });
    expect((await owedWatches(database.db)).owed).toEqual([]);
    receiver.behave((nth) => (nth % 2 === 0 ? 200 : 500));
    for (const night of nights.slice(-6)) {
      await publish(night);
      await deriveNights(database.db, 'uk');
      await Promise.all([follow(), follow()]);
      await deliverAll();
    }
    const due = (await changesSince(first)).map(({ night, product_id }) => `${night} ${product_id}`);
    expect(due.length).toBeGreaterThan(10);
    expect(sent()).toEqual(due.sort());
  });

  test('a night that is derived again, as after a replay, is not sent again', async () => {
    const before = receiver.taken.length;
    await database.db.tx((tx) => forgetDerived(tx, 'uk', nights.at(-4)!));
    await follow();
    await deriveNights(database.db, 'uk');
    await follow();
    await deliverAll();
    expect(receiver.taken).toHaveLength(before);
  });

  test('watches are added, listed and removed by command', async () => {
    const run = (...args: string[]) => cliHome.run(args, { DATABASE_URL: database.url });
    expect(await run('watch', 'add', 'milk', 'changes', '--product', '1', '--below', '1.50')).toEqual(
      expect.objectContaining({ code: 0, stderr: expect.stringContaining('ALERT_URL') }),
    );
    const { rows } = JSON.parse((await run('watch', 'list', '--json')).stdout);
    expect(rows.find(({ name }: { name: string }) => name === 'milk')).toMatchObject({
      question: 'changes',
      parameters: { product: '1', below: '1.50' },
      last_error: null,
    });
    expect((await run('watch', 'list')).stdout).toMatch(/milk +changes .*--below 1.50/);
    expect((await run('watch', 'add', 'milk', 'changes')).code).toBe(1);
    expect((await run('watch', 'add', 'other', 'nonsense')).code).toBe(2);
    expect((await run('watch', 'add', 'other', 'changes', '--colour', 'red')).code).toBe(2);
    expect((await run('watch', 'add', 'other', 'changes', '--product', 'no-such')).code).toBe(1);
    expect(await run('watch', 'remove', 'milk')).toMatchObject({ code: 0 });
    expect((await run('watch', 'remove', 'milk')).code).toBe(1);
    expect((await listWatches(database.db)).map(({ name }) => name)).toEqual(['changes']);
  });

  test('a question that can no longer be asked says why, and the other watches go on', async () => {
    await database.db.query(
      `insert into ops.watch (name, question, parameters, created_at, change_seq)
       values ('broken', 'changes', '{"category": "no such category"}', now(), 0)`,
    );
    expect(await follow()).toBe(1);
    const [broken] = (await listWatches(database.db)).filter(({ name }) => name === 'broken');
    expect(broken!.lastError).toContain('no such category');
    expect((await owedWatches(database.db)).owed).toEqual([]);
  });
});
