import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { probeNow } from '../../src/gateway/limits/stops.ts';
import { json, openProcess, type Process, question, type Upstream, withUpstream } from '../gateway/upstream.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';

const database = useDatabase();
beforeEach(() => forgetEverything(database.db));

const page = { success: true, data: {} };
const answered: RequestListener = (_, response) => json(response, 200, page);
const failing: RequestListener = (_, response) => json(response, 502, { success: false, message: 'down' });
const refusing: RequestListener = (_, response) =>
  json(response, 403, { message: 'You are not subscribed to this API.' });

/** An upstream whose answers the test changes, and a process that it has answered once. */
async function withProcess(
  use: (
    process: Process,
    upstream: Upstream & { answer(listener: RequestListener): void; sent(): number },
  ) => Promise<void>,
): Promise<void> {
  let answer = answered;
  await withUpstream(
    (request, response) => answer(request, response),
    async ({ url, requests }) => {
      const first = openProcess(database.db, url);
      await first.gateway.ask(question);
      await first.gateway.close();
      const process = openProcess(database.db, url, { concurrency: 16 });
      const upstream = {
        ...{ url, requests, sent: () => requests.length - 1 },
        answer(listener: RequestListener) {
          answer = listener;
        },
      };
      await use(process, upstream).finally(() => process.gateway.close());
    },
  );
}

const askAll = ({ gateway }: Process, lanes: number) =>
  Promise.allSettled(Array.from({ length: lanes }, () => gateway.ask(question)));

interface Stop {
  readonly reason: string;
  readonly times: number;
  readonly seconds: number;
}

const stops = () =>
  rowsOf<Stop & Record<string, unknown>>(
    database.db,
    `select reason, times, round(extract(epoch from until - greatest(since, clock_timestamp())))::int as seconds
     from ops.stop order by scope, scope_id`,
  );

const beginStop = (scope: string, scopeId: string, reason: string, until: string) =>
  database.db.query(
    `insert into ops.stop (scope, scope_id, reason, since, until)
     values ($1, $2, $3, clock_timestamp() - interval '1 minute', clock_timestamp() + $4::interval)`,
    [scope, scopeId, reason, until],
  );

const endPause = () => database.db.query('update ops.stop set until = clock_timestamp()');

/** Resolves when the upstream was asked this often. */
const asked = (upstream: { sent(): number }, requests: number) =>
  expect.poll(() => upstream.sent(), { timeout: 10_000 }).toBeGreaterThanOrEqual(requests);

test('sixteen lanes that fail together are one failure, and one request ends its pause for all', async () => {
  // No lane asks again before all have failed.
  vi.spyOn(Math, 'random').mockReturnValue(0.99);
  onTestFinished(() => void vi.restoreAllMocks());
  await withProcess(async (process, upstream) => {
    upstream.answer(failing);
    const asking = askAll(process, 16);
    await expect.poll(stops).toMatchObject([{ reason: 'failing', times: 0 }]);
    expect((await stops())[0]!.seconds).toBeLessThanOrEqual(5);
    await sleep(500);
    expect(upstream.sent()).toBe(16);
    upstream.answer(answered);
    await endPause();
    expect((await asking).filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    // One to find out, and the sixteen again.
    expect(upstream.sent()).toBe(16 + 1 + 16);
    expect(await stops()).toEqual([]);
  });
});

test('only one of several processes probes', async () => {
  await withProcess(async (process, upstream) => {
    const others = [1, 2].map(() => openProcess(database.db, upstream.url));
    await beginStop('listing', 'grocery', 'failing', '300 ms');
    let slowly = 0;
    upstream.answer(
      (request, response) => void setTimeout(() => answered(request, response), slowly++ === 0 ? 800 : 0),
    );
    const asking = Promise.all([process, ...others].map((each) => askAll(each, 4)));
    await asked(upstream, 1);
    await sleep(500);
    expect(upstream.sent()).toBe(1);
    await asking;
    expect(upstream.sent()).toBe(1 + 12);
    await Promise.all(others.map(({ gateway }) => gateway.close()));
  });
});

test('with a stop of the key and one of its listing, the one that ends last holds', async () => {
  await withProcess(async ({ gateway }, upstream) => {
    const [{ key } = { key: '' }] = await rowsOf<{ key: string }>(
      database.db,
      'select last_key as key from ops.listing',
    );
    await beginStop('key', key, 'key_refused', '-1 s');
    await beginStop('listing', 'grocery', 'failing', '1 hour');
    // Longer than a worker waits: the request ends at once.
    const error = await gateway.ask(question).catch((caught) => caught);
    expect(error).toMatchObject({ kind: 'waits', reason: 'failing', exitCode: 69, until: expect.any(Date) });
    expect(upstream.sent()).toBe(0);
  });
});

test('a process whose clock is ahead sees the end of a stop as the database does', async () => {
  await withProcess(async (_, upstream) => {
    const ahead = { now: () => new Date(systemClock.now().getTime() + 10 * 60_000) };
    const process = openProcess(database.db, upstream.url, { clock: ahead });
    await beginStop('listing', 'grocery', 'failing', '5 minutes');
    await expect(process.gateway.ask(question)).rejects.toMatchObject({ kind: 'waits', reason: 'failing' });
    expect(upstream.sent()).toBe(0);
    await endPause();
    await process.gateway.ask(question);
    await process.gateway.close();
  });
});

test('what was sent is answered although its worker leaves, and what waits for permission is not sent', async () => {
  await withProcess(async ({ gateway }, upstream) => {
    let release = () => {};
    upstream.answer((request, response) => {
      release = () => answered(request, response);
    });
    const leaving = new AbortController();
    const sent = gateway.ask(question, { waiting: leaving.signal });
    await asked(upstream, 1);
    await beginStop('listing', 'grocery', 'failing', '30 seconds');
    const waiting = gateway.ask(question, { waiting: leaving.signal });
    leaving.abort(new Error('it leaves'));
    await expect(waiting).rejects.toThrow('it leaves');
    release();
    await expect(sent).resolves.toMatchObject({ body: page });
    expect(upstream.sent()).toBe(1);
  });
});

test('a stop of a run holds back its requests only, and ends with time', async () => {
  await withProcess(async ({ gateway }) => {
    await beginStop('run', '7', 'room', '10 minutes');
    await expect(gateway.ask({ ...question, runId: 7 })).rejects.toMatchObject({ kind: 'waits', reason: 'room' });
    await gateway.ask({ ...question, runId: 8 });
    await endPause();
    await gateway.ask({ ...question, runId: 7 });
  });
});

test('a refused key stops the processes that use it, and a key that replaces it goes on at once', async () => {
  await withUpstream(
    (request, response) => (request.headers['x-gateway-key'] === 'wrong-key' ? refusing : answered)(request, response),
    async ({ url, requests }) => {
      let key = 'wrong-key';
      const process = openProcess(database.db, url, { key: () => key });
      await expect(process.gateway.ask(question)).rejects.toMatchObject({ kind: 'denied', exitCode: 78 });
      const waiting = process.gateway.ask(question);
      await expect.poll(stops).toMatchObject([{ reason: 'key_refused' }]);
      key = 'right-key';
      await waiting;
      expect(requests.map(({ headers }) => headers['x-gateway-key'])).toEqual(['wrong-key', 'right-key']);
      const other = openProcess(database.db, url, { key: () => 'right-key' });
      await other.gateway.ask(question);
      await Promise.all([process, other].map(({ gateway }) => gateway.close()));
      const kept = await rowsOf(database.db, 'select * from ops.listing, ops.stop');
      expect(JSON.stringify(kept)).not.toMatch(/wrong-key|right-key/);
    },
  );
});

test('a used-up quota is asked for again when its headers say that it begins anew', async () => {
  await withProcess(async (process, upstream) => {
    const other = openProcess(database.db, upstream.url);
    const usedUp = {
      'x-ratelimit-requests-limit': '500',
      'x-ratelimit-requests-remaining': '0',
      'x-ratelimit-requests-reset': '864000',
    };
    upstream.answer((_, response) => json(response, 200, page, usedUp));
    await process.gateway.ask(question);
    await process.gateway.write();
    const refused = { kind: 'waits', reason: 'quota_used_up', exitCode: 75 };
    for (const { gateway } of [process, other]) await expect(gateway.ask(question)).rejects.toMatchObject(refused);
    expect(upstream.sent()).toBe(1);
    upstream.answer((_, response) =>
      json(response, 200, page, {
        ...usedUp,
        'x-ratelimit-requests-limit': '900',
        'x-ratelimit-requests-remaining': '400',
      }),
    );
    expect(await stops()).toEqual([{ reason: 'quota_used_up', times: 0, seconds: 864_000 }]);
    await endPause();
    await Promise.all([process, other].map(({ gateway }) => gateway.ask(question)));
    expect(upstream.sent()).toBe(1 + 1 + 2);
    await other.gateway.close();
  });
});

const longStop = ((22 * 24 + 14) * 60 + 18) * 60 + 12;
test.each([
  ['Out of call volume quota. Quota will be replenished in 22.14:18:12.', longStop, longStop],
  ['You have exceeded your monthly quota', 3_600, 3_600],
])('a refusal that says "%s" stops its key for the stated time or an hour', async (message, first, again) => {
  await withProcess(async ({ gateway }, upstream) => {
    upstream.answer((_, response) => json(response, 403, { message }));
    await expect(gateway.ask(question)).rejects.toMatchObject({ kind: 'quota' });
    const near = (seconds: number) => expect.toSatisfy((given: number) => Math.abs(given - seconds) < 30);
    expect(await stops()).toMatchObject([{ reason: 'quota_used_up', times: 0, seconds: near(first) }]);
    await endPause();
    await expect(gateway.ask(question)).rejects.toMatchObject({ kind: 'waits', reason: 'quota_used_up' });
    expect(await stops()).toMatchObject([{ times: 1, seconds: near(again) }]);
    // A person who has bought a larger plan need not wait.
    upstream.answer(answered);
    await probeNow(database.db, ['grocery']);
    await gateway.ask(question);
    expect(await stops()).toEqual([]);
  });
});

test('after too many requests, the rate grows from one at a time', async () => {
  await withProcess(async (process, upstream) => {
    let underWay = 0;
    const most: number[] = [];
    upstream.answer((_, response) => json(response, 429, { message: 'Too many requests' }));
    const asking = askAll(process, 16);
    await expect.poll(stops).toMatchObject([{ reason: 'too_fast' }]);
    // Those under way when the stop began.
    await sleep(300);
    upstream.answer((_, response) => {
      most.push(++underWay);
      setTimeout(() => {
        underWay -= 1;
        json(response, 200, page);
      }, 30);
    });
    expect((await asking).filter(({ status }) => status === 'fulfilled')).toHaveLength(16);
    expect(Math.max(...most.slice(0, 3))).toBeLessThanOrEqual(2);
  });
});
