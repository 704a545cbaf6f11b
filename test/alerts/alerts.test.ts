import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLog } from '../../src/base/log.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { checkAlerts, keepAlerts } from '../../src/followers/alerts/alerts.ts';
import type { Condition } from '../../src/followers/alerts/conditions.ts';
import { type QuotaUsed, quotaConditions } from '../../src/followers/alerts/conditions.ts';
import { deliver as deliverMessages } from '../../src/followers/outbox/outbox.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const database = useDatabase();
const { signal } = new AbortController();
let receiver: Receiver;
let now = new Date('2026-03-01T02:00:00Z');
const clock = { now: () => now };
const pass = (ms: number) => {
  now = new Date(now.getTime() + ms);
};
const minute = 60_000;
const hour = 60 * minute;

beforeAll(async () => {
  receiver = await startReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  await database.db.query('truncate ops.alert, ops.outbox, ops.listing, ops.stop, ops.run cascade');
  receiver.behave(() => 200);
  (receiver.taken as unknown[]).length = 0;
  now = new Date('2026-03-01T02:00:00Z');
});

const needs = () => ({
  db: database.db,
  clock,
  log: createLog({ level: 'silent' }),
  receiver: { url: receiver.url, secret: 'sesame' },
  timeoutMs: 200,
});
const deliver = () => deliverMessages(needs(), signal);
const held: Condition = { kind: 'night_held', subject: 'uk 2026-03-01', message: 'It is held.', advice: 'Look at it.' };
const told = () => receiver.taken.map(({ body }) => [body['event'], body['kind'], body['subject']]);

const run = (runId: number, date: string, more: Record<string, unknown>) => ({
  run_id: runId,
  region: 'uk',
  snapshot_date: date,
  observed_at: `${date}T02:00:00Z`,
  started_at: `${date}T02:00:00Z`,
  max_details: 0,
  origin: 'schedule',
  ...more,
});

describe('an alert', () => {
  test('an alert is sent once while it is active, again after a day, and when it is over', async () => {
    for (const wait of [0, minute, 20 * hour, 4 * hour, minute]) {
      pass(wait);
      await keepAlerts(database.db, [held], now);
      await deliver();
    }
    pass(minute);
    await keepAlerts(database.db, [], now);
    await keepAlerts(database.db, [], now);
    await deliver();
    expect(told()).toEqual([
      ['raised', 'night_held', 'uk 2026-03-01'],
      ['reminder', 'night_held', 'uk 2026-03-01'],
      ['over', 'night_held', 'uk 2026-03-01'],
    ]);
  });

  test('a message is signed and readable for programs and chat tools', async () => {
    await keepAlerts(database.db, [held], now);
    await deliver();
    const [{ body, text, headers }] = receiver.taken as [(typeof receiver.taken)[number]];
    expect(body).toMatchObject({ version: 1, event: 'raised', message: 'It is held.', advice: 'Look at it.' });
    expect(body['raised_at']).toBe('2026-03-01T02:00:00.000Z');
    expect(body['text']).toBe('Pricebook: It is held. Look at it.');
    expect(body['content']).toBe(body['text']);
    const signed = createHmac('sha256', 'sesame').update(`${headers['x-pricebook-timestamp']}.${text}`).digest('hex');
    expect(headers['x-pricebook-signature']).toBe(`sha256=${signed}`);
    expect(headers['x-pricebook-delivery']).toBe(String(body['delivery']));
  });

  test('the reason of a failed delivery is recorded without the address', async () => {
    const says = async () => (await rowsOf<{ e: string }>(database.db, 'select last_error as e from ops.outbox'))[0]!.e;
    await keepAlerts(database.db, [held], now);
    receiver.behave(() => 500);
    await deliver();
    expect(await says()).toBe('it answered 500');
    pass(hour);
    receiver.behave(() => 'hang');
    await deliver();
    expect(await says()).toBe('no response within 0.2 s');
    pass(hour);
    const nowhere = { ...needs(), receiver: { url: 'http://127.0.0.1:1/hook?token=hidden-token', secret: null } };
    await deliverMessages(nowhere, signal);
    expect(await says()).toBe('it could not be reached (ECONNREFUSED)');
  });

  test('two concurrent processes send an alert once', async () => {
    const looks = Array.from({ length: 6 }, async () => {
      await keepAlerts(database.db, [held], now);
      await deliver();
    });
    await Promise.all(looks);
    expect(told()).toEqual([['raised', 'night_held', 'uk 2026-03-01']]);
  });
});

describe('conditions of alerts', () => {
  const kinds = async (readQuotas: () => Promise<readonly QuotaUsed[]> = async () => []) => {
    await checkAlerts({ ...needs(), readQuotas, readHosts: async () => [] }, signal);
    const rows = await rowsOf<{ kind: string; subject: string }>(
      database.db,
      'select kind, subject from ops.alert where ended_at is null order by kind, subject',
    );
    return rows.map(({ kind, subject }) => `${kind} ${subject}`);
  };
  test('a partial, held or expired last night of a region raises an alert until a better night follows', async () => {
    const { db } = database;
    await insert(db, 'ops.run', [run(1, '2026-03-01', { status: 'published', verdict: 'partial', phase: 'over' })]);
    expect(await kinds()).toEqual(['night_partial uk 2026-03-01']);
    await insert(db, 'ops.run', [run(2, '2026-03-02', { status: 'held', verdict: 'complete', phase: 'over' })]);
    expect(await kinds()).toEqual(['night_held uk 2026-03-02']);
    await insert(db, 'ops.run', [run(3, '2026-03-03', { status: 'expired', phase: 'over' })]);
    expect(await kinds()).toEqual(['night_expired uk 2026-03-03']);
    await insert(db, 'ops.run', [run(4, '2026-03-04', { status: 'published', verdict: 'complete', phase: 'over' })]);
    expect(await kinds()).toEqual([]);
    expect(told().filter(([event]) => event === 'raised')).toHaveLength(3);
    expect(told().filter(([event]) => event === 'over')).toHaveLength(3);
  });

  test('the alert names the command that releases a night, whether it is published or held', async () => {
    const { db } = database;
    const advice = async () => {
      await kinds();
      const [row] = await rowsOf<{ advice: string }>(db, 'select advice from ops.alert where ended_at is null');
      return row!.advice;
    };
    const ended = { verdict: 'partial', phase: 'over' };
    await insert(db, 'ops.run', [run(1, '2026-03-01', { ...ended, status: 'published' })]);
    expect(await advice()).toMatch(
      /--release 1 --why TEXT` \(if a later night is published, it suggests a replay instead\)/,
    );
    await insert(db, 'ops.run', [run(2, '2026-03-02', { ...ended, status: 'held' })]);
    expect(await advice()).toMatch(
      /--release 2 --why TEXT` \(if a later night is published, it suggests a replay instead\)/,
    );
  });

  test('a missed night raises an alert until a later night is certified', async () => {
    const ended = { status: 'published', verdict: 'complete', phase: 'over' };
    const partial = { ...ended, verdict: 'partial' };
    await insert(database.db, 'ops.run', [run(1, '2026-02-28', ended), run(2, '2026-03-02', partial)]);
    expect(await kinds()).toEqual(['night_missed uk 2026-03-01', 'night_partial uk 2026-03-02']);
    await insert(database.db, 'ops.run', [run(3, '2026-03-03', ended)]);
    expect(await kinds()).toEqual([]);
  });

  test('a refused key and a quota reported as used up raise alerts', async () => {
    await insert(database.db, 'ops.listing', [
      { listing: 'grocery', host: 'one', last_key: 'one', last_error: 'not subscribed' },
      { listing: 'stores', host: 'two', last_key: 'two' },
    ]);
    const ofKey = { scope: 'key', since: now, until: new Date(now.getTime() + minute) };
    await insert(database.db, 'ops.stop', [
      { ...ofKey, scope_id: 'one', reason: 'key_refused' },
      { ...ofKey, scope_id: 'two', reason: 'quota_used_up' },
    ]);
    expect(await kinds()).toEqual(['key_refused grocery', 'quota_100 stores']);
  });

  test('an open run without a living worker raises an alert after a grace period', async () => {
    await insert(database.db, 'ops.run', [run(1, '2026-03-01', { status: 'open', phase: 'categories' })]);
    expect(await kinds()).toEqual([]);
    pass(6 * minute);
    expect(await kinds()).toEqual(['no_worker uk 2026-03-01']);
    await database.db.query(
      `insert into ops.worker (worker_id, host, pid, command, key, started_at, alive_until)
       values (gen_random_uuid(), 'here', 1, 'work', 'key', now(), now() + interval '1 hour')`,
    );
    expect(await kinds()).toEqual([]);
    await database.db.query('delete from ops.worker');
  });

  test('a run that waits because of a full disk raises an alert', async () => {
    await insert(database.db, 'ops.run', [run(1, '2026-03-01', { status: 'open', phase: 'categories' })]);
    const detail = 'There is no room left for the archive in /data (ENOSPC). Make room.';
    await insert(database.db, 'ops.stop', [{ scope: 'run', scope_id: '1', reason: 'room', detail, since: now }]);
    expect(await kinds()).toEqual(['no_room run']);
  });

  test('a quota raises an alert at 80 percent, which is replaced at 100 percent', () => {
    const at = (used: number, included: number | null) =>
      quotaConditions([{ listing: 'grocery', used, included }]).map(({ kind }) => kind);
    expect(at(79, 100)).toEqual([]);
    expect(at(80, 100)).toEqual(['quota_80']);
    expect(at(99, 100)).toEqual(['quota_80']);
    expect(at(100, 100)).toEqual(['quota_100']);
    expect([at(100, 0), at(100, null)]).toEqual([[], []]);
  });
});
