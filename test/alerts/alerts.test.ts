import { createHmac } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { composeAlerts } from '../../src/app/compose/alerts.ts';
import { loadConfig } from '../../src/app/config.ts';
import { createLog } from '../../src/base/log.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createAlerts } from '../../src/followers/alerts/alerts.ts';
import type { Condition } from '../../src/followers/alerts/condition.ts';
import { deliverAlerts } from '../../src/followers/alerts/deliver.ts';
import { keepAlerts } from '../../src/followers/alerts/keep-alerts.ts';
import { type QuotaUsed, quotaConditions } from '../../src/followers/alerts/listings.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';
import { canMount, mountSmallDisk, type SmallDisk } from '../support/small-disk.ts';
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
  await database.db.query(
    'truncate ops.alert, ops.alert_delivery, ops.missed_night, ops.listing, ops.stop, ops.run cascade',
  );
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
const deliver = () => deliverAlerts(needs(), signal);
const held: Condition = { kind: 'night_held', subject: 'uk 2026-03-01', says: 'It is held.', advice: 'Look at it.' };
const told = () => receiver.taken.map(({ body }) => [body['event'], body['kind'], body['subject']]);

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
    const says = async () =>
      (await rowsOf<{ e: string }>(database.db, 'select last_error as e from ops.alert_delivery'))[0]!.e;
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
    await deliverAlerts(nowhere, signal);
    expect(await says()).toBe('it could not be reached (ECONNREFUSED)');
  });

  test('after a timeout the remaining alerts are not tried one after another', async () => {
    const conditions = (['uk 2026-03-01', 'ie 2026-03-01'] as const).map(
      (subject): Condition => ({ ...held, subject }),
    );
    await keepAlerts(database.db, conditions, now);
    receiver.behave(() => 'hang');
    await deliver();
    expect(receiver.asked).toBe(1);
    pass(hour);
    receiver.behave(() => 200);
    await deliver();
    expect(receiver.taken).toHaveLength(2);
  });

  test('a message is sent again with the same number if its sender was killed before recording it', async () => {
    await keepAlerts(database.db, [held], now);
    await deliver();
    // All that a kill between the two statements leaves behind.
    await database.db.query('update ops.alert_delivery set delivered_at = null');
    await deliver();
    expect(receiver.taken).toHaveLength(1);
    pass(minute);
    await deliver();
    expect(new Set(receiver.taken.map(({ body }) => body['delivery'])).size).toBe(1);
    expect(receiver.taken).toHaveLength(2);
  });

  test('two concurrent processes send an alert once', async () => {
    const looks = Array.from({ length: 6 }, async () => {
      await keepAlerts(database.db, [held], now);
      await deliver();
    });
    await Promise.all(looks);
    expect(told()).toEqual([['raised', 'night_held', 'uk 2026-03-01']]);
  });

  test('start and end of an alert are sent in every sequence of conditions, waits and failures', async () => {
    const step = fc.record({
      holds: fc.subarray(['a', 'b', 'c']),
      waitHours: fc.integer({ min: 0, max: 30 }),
      isTaken: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        await database.db.query('truncate ops.alert, ops.alert_delivery');
        (receiver.taken as unknown[]).length = 0;
        for (const { holds, waitHours, isTaken } of [...steps, { holds: [], waitHours: 1, isTaken: true }]) {
          receiver.behave(() => (isTaken ? 200 : 503));
          await keepAlerts(
            database.db,
            holds.map((subject) => ({ ...held, subject })),
            now,
          );
          await deliver();
          pass(waitHours * hour);
        }
        // Every failed delivery is repeated within two hours.
        for (let round = 0; round < 4; round++) {
          pass(2 * hour);
          await deliver();
        }
        for (const subject of ['a', 'b', 'c']) {
          const events = receiver.taken
            .filter(({ body }) => body['subject'] === subject)
            .map(({ body }) => body['event']);
          expect(events.join(' ')).toMatch(/^(raised( reminder)* over ?)*$/);
        }
        const owed = await rowsOf(database.db, 'select from ops.alert_delivery where delivered_at is null');
        expect(owed).toHaveLength(0);
      }),
      { numRuns: 25 },
    );
  });
});

describe.skipIf(!canMount)('the disk of a data folder that fills up', () => {
  const full = mkdtempSync(join(tmpdir(), 'pricebook-full-'));
  const roomy = mkdtempSync(join(tmpdir(), 'pricebook-roomy-'));
  let disk: SmallDisk;
  beforeAll(() => {
    disk = mountSmallDisk(full, 64)!;
  });
  afterAll(() => {
    disk.unmount();
    for (const folder of [full, roomy]) rmSync(folder, { recursive: true, force: true });
  });
  const lookFrom = (home: string) =>
    createAlerts({ ...needs(), home, regions: ['uk'], readQuotas: async () => [], readHosts: async () => [] }).look(
      signal,
    );
  const events = () => receiver.taken.map(({ body }) => body['event']);

  test('a full disk raises one alert until there is room, even if other machines have room', async () => {
    for (let round = 0; round < 3; round++) {
      for (const home of [full, roomy, '/nowhere']) {
        await lookFrom(home);
        pass(minute / 2);
      }
    }
    expect(events()).toEqual(['raised']);
    expect(receiver.taken[0]!.body['message']).toContain(`(${full} on `);
    pass(24 * hour);
    for (const home of [roomy, full, roomy]) await lookFrom(home);
    expect(events()).toEqual(['raised', 'reminder']);
    disk.makeRoom(2_048);
    for (const home of [roomy, full, roomy]) await lookFrom(home);
    expect(events()).toEqual(['raised', 'reminder', 'over']);
  });

  test('an alert about a full disk ends if its machine has not reported it for more than a day', async () => {
    disk.makeRoom(1);
    await lookFrom(full);
    pass(24 * hour);
    await lookFrom(roomy);
    expect(events()).toEqual(['raised']);
    pass(2 * hour);
    await lookFrom(roomy);
    expect(events()).toEqual(['raised', 'over']);
  });
});

test("the file with the webhook's address may be replaced between two messages", async () => {
  const home = mkdtempSync(join(tmpdir(), 'pricebook-alerts-'));
  const other = await startReceiver();
  try {
    const addressFile = join(home, 'address');
    writeFileSync(addressFile, receiver.url);
    const environment = { DATABASE_URL: database.url, PRICEBOOK_HOME: home, ALERT_URL_FILE: addressFile };
    const config = loadConfig(environment, { cwd: home });
    const alerts = composeAlerts({ db: database.db, clock, config, log: createLog({ level: 'silent' }) })!;
    await insert(database.db, 'ops.missed_night', [{ region: 'uk', snapshot_date: '2026-03-01', noticed_at: now }]);
    await alerts.look(signal);
    expect(told()).toEqual([['raised', 'night_missed', 'uk 2026-03-01']]);

    // As a secret mount does it: a new file takes the old one's place.
    writeFileSync(join(home, 'next'), other.url);
    renameSync(join(home, 'next'), addressFile);
    pass(24 * hour);
    await alerts.look(signal);
    expect(told()).toHaveLength(1);
    expect(other.taken.map(({ body }) => body['event'])).toEqual(['reminder']);
  } finally {
    await other.close();
    rmSync(home, { recursive: true, force: true });
  }
});

describe('conditions of alerts', () => {
  const kinds = async (readQuotas: () => Promise<readonly QuotaUsed[]> = async () => []) => {
    const alerts = createAlerts({
      ...needs(),
      home: '/nowhere',
      regions: ['uk'],
      readQuotas,
      readHosts: async () => [],
    });
    await alerts.look(signal);
    const rows = await rowsOf<{ kind: string; subject: string }>(
      database.db,
      'select kind, subject from ops.alert where over_at is null order by kind, subject',
    );
    return rows.map(({ kind, subject }) => `${kind} ${subject}`);
  };
  const run = (runId: number, date: string, more: Record<string, unknown>) => ({
    run_id: runId,
    region: 'uk',
    snapshot_date: date,
    observed_at: `${date}T02:00:00Z`,
    started_at: `${date}T02:00:00Z`,
    max_details: 0,
    origin: 'schedule',
    clock: 'machine',
    ...more,
  });

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

  test('a partial night that was released raises no alert', async () => {
    await insert(database.db, 'ops.run', [
      run(1, '2026-03-01', { status: 'published', verdict: 'partial', phase: 'over' }),
    ]);
    expect(await kinds()).toHaveLength(1);
    await insert(database.db, 'ops.certificate', [
      {
        run_id: 1,
        verdict: 'partial',
        reasons: [],
        evidence: {},
        computed_at: now,
        released_because: 'the range was cut',
      },
    ]);
    expect(await kinds()).toEqual([]);
  });

  test('the alert names the command that releases a night, or states that it cannot be released', async () => {
    const { db } = database;
    const advice = async () => {
      await kinds();
      const [row] = await rowsOf<{ advice: string }>(db, 'select advice from ops.alert where over_at is null');
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
    await insert(db, 'ops.run', [run(3, '2026-03-03', { ...ended, status: 'published' })]);
    await insert(db, 'ops.category_deferred', [{ run_id: 3, category_id: 'a', pages: 2 }]);
    expect(await advice()).toBe(
      '`pricebook certify --run 3` says why. It left categories for another night and cannot be released: ' +
        'crawl it again with higher limits; the next night usually repairs it.',
    );
  });

  test('a missed night raises an alert until a later night is certified', async () => {
    const missed = { region: 'uk', snapshot_date: '2026-03-01', noticed_at: now };
    await insert(database.db, 'ops.missed_night', [missed]);
    expect(await kinds()).toEqual(['night_missed uk 2026-03-01']);
    await insert(database.db, 'ops.run', [
      run(1, '2026-03-02', { status: 'published', verdict: 'complete', phase: 'over' }),
    ]);
    expect(await kinds()).toEqual([]);
  });

  test('a refused key and a quota reported as used up raise alerts', async () => {
    await insert(database.db, 'ops.listing', [
      { listing: 'grocery', host: 'one', last_key: 'one', last_error: 'not subscribed' },
      { listing: 'stores', host: 'two', last_key: 'two' },
    ]);
    const ofKey = { scope: 'key', since: now };
    await insert(database.db, 'ops.stop', [
      { ...ofKey, scope_id: 'one', listing: 'grocery', reason: 'key_refused' },
      { ...ofKey, scope_id: 'two', listing: 'stores', reason: 'quota_used_up' },
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
