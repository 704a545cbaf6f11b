import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { createRedisStore, type QueueStore } from '../../src/crawl/queue/store.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { isRedisInstalled, startRedis } from '../support/redis-server.ts';
import { createTcpProxy } from '../support/tcp-proxy.ts';

const database = useDatabase({ from: 'empty' });

test('a worker whose connections to its queue are cut takes the next job', async () => {
  const store = await openPostgresStore(database.url, { warn() {} });
  const done: unknown[] = [];
  const worker = store.worker('count', 1, async (payload) => void done.push(payload));
  const queue = store.queue('count');
  await queue.add('first', { n: 1 });
  await expect.poll(() => done, { timeout: 50_000 }).toEqual([{ n: 1 }]);
  // It listens by now: nothing is left to do.
  await sleep(500);

  const cut = await rowsOf(
    database.db,
    `select pg_terminate_backend(pid)
     from pg_stat_activity
     where datname = current_database() and application_name = 'pricebook queue'`,
  );
  expect(cut.length).toBeGreaterThan(0);
  await queue.add('second', { n: 2 });
  await expect.poll(() => done, { timeout: 50_000 }).toEqual([{ n: 1 }, { n: 2 }]);
  await worker.close();
  await store.close();
});

test('workers whose first connection is reset start once the server can be reached', async () => {
  const server = new URL(database.url);
  const link = await createTcpProxy({ host: server.hostname, port: Number(server.port) });
  const through = new URL(database.url);
  through.port = String(link.port);
  const store = await openPostgresStore(through.href, { warn() {} });
  const done: unknown[] = [];
  try {
    // The store has a connection by now; new workers open one each.
    link.set('refuse');
    link.cut();
    const workers = ['one', 'other'].map((name) => store.worker(name, 2, async (payload) => void done.push(payload)));
    const queue = store.queue('one');
    const added = queue.add('first', { n: 1 });
    // A suspended process runs no timers.
    await sleep(300);
    link.set('pass');
    await added;
    await expect.poll(() => done, { timeout: 50_000 }).toEqual([{ n: 1 }]);
    await Promise.all(workers.map((worker) => worker.close()));
  } finally {
    await store.close();
    await link.close();
  }
});

test('a worker that is closed before its first connection is made ends', async () => {
  const store = await openPostgresStore(database.url, { warn() {} });
  const worker = store.worker('count', 1, async () => undefined);
  await worker.close();
  await store.close();
});

test('a queue reports that its first connection was reset, and later its jobs', async () => {
  const server = new URL(database.url);
  const link = await createTcpProxy({ host: server.hostname, port: Number(server.port) });
  const through = new URL(database.url);
  through.port = String(link.port);
  const store = await openPostgresStore(through.href, { warn() {} });
  try {
    link.set('refuse');
    link.cut();
    await expect(store.depths('watched')).rejects.toThrow();
    link.set('pass');
    await expect.poll(() => store.depths('watched').catch(() => null)).toEqual({ waiting: 0, active: 0, delayed: 0 });
    await store.queue('watched').add('first', {});
    expect(await store.depths('watched')).toEqual({ waiting: 1, active: 0, delayed: 0 });
    expect(store.look('watched')).toBe(store.look('watched'));
  } finally {
    await store.close();
    await link.close();
  }
});

describe('an unavailable queue server', () => {
  const names = Array.from({ length: 12 }, (_, i) => `job-${i}`);

  async function meetOutage(open: (log: Log) => Promise<QueueStore>, goAway: () => Promise<unknown>) {
    const said: string[] = [];
    const heard: unknown[] = [];
    const store = await open({ warn: (fields, message) => said.push(`${message}: ${(fields as Told).reason}`) });
    for (const name of names) {
      await store.queue(name).add('first', {});
      const worker = store.worker(name, 1, async (payload) => void heard.push(payload));
      await expect.poll(() => heard.length, { timeout: 50_000 }).toBe(names.indexOf(name) + 1);
      opened.push(worker);
    }
    await goAway();
    await expect.poll(() => said.length, { timeout: 50_000 }).toBeGreaterThan(0);
    // Every worker looks again each second.
    await sleep(4_000);
    return { store, said };
  }
  const opened: { close(): Promise<void> }[] = [];

  test('an unavailable PostgreSQL is logged once for each reason', async () => {
    const server = new URL(database.url);
    const link = await createTcpProxy({ host: server.hostname, port: Number(server.port) });
    const through = new URL(database.url);
    through.port = String(link.port);
    const goAway = async () => {
      link.set('refuse');
      link.cut();
    };
    const { store, said } = await meetOutage((log) => openPostgresStore(through.href, log), goAway);
    try {
      expect([...new Set(said)]).toEqual(said);
      expect(said.length).toBeLessThan(6);
      link.set('pass');
      await expect
        .poll(
          () =>
            store.ping().then(
              () => true,
              () => false,
            ),
          { timeout: 50_000 },
        )
        .toBe(true);
      await Promise.all(opened.map((worker) => worker.close()));
    } finally {
      await store.close();
      await link.close();
    }
  });

  test.skipIf(!isRedisInstalled)('an unavailable Redis is logged once for each reason', async () => {
    const redis = await startRedis();
    const { store, said } = await meetOutage(
      (log) => createRedisStore(redis.url, log),
      () => redis.stop(),
    );
    expect([...new Set(said)]).toEqual(said);
    expect(said.length).toBeLessThan(6);
    await store.close();
  });
});

type Log = Parameters<typeof createRedisStore>[1];
interface Told {
  readonly reason: string;
}
