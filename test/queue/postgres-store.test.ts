import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { z } from 'zod';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { openQueues, startWorkers } from '../../src/crawl/queue/open-queues.ts';
import type { QueueStore } from '../../src/crawl/queue/store.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase({ from: 'empty' });
const stores: QueueStore[] = [];
const open = async () => {
  const store = await openPostgresStore(database.url, { warn() {} });
  stores.push(store);
  return store;
};
afterEach(async () => {
  for (const store of stores.splice(0)) await store.close();
  await database.db.query('drop schema if exists bullmq cascade');
});

test('several processes may create the schema of the queue at the same moment', async () => {
  for (let round = 1; round <= 5; round++) {
    await database.db.query('drop schema if exists bullmq cascade');
    await Promise.all(Array.from({ length: 5 }, open));
  }
});

test('several processes that set the same schedule at the same moment create it once', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, open));
  const when = { pattern: '0 2 * * *', timeZone: 'Europe/London' };
  for (let round = 1; round <= 5; round++) {
    await Promise.all(all.map((store) => store.queue('try').repeat(`nightly-${round}`, when, {})));
  }
  expect(await rowsOf(database.db, 'select state::text, count(*)::int as jobs from bullmq.job group by 1')).toEqual([
    { state: 'delayed', jobs: 5 },
  ]);
});

test('a finished or failed job leaves nothing in the queue, and its key is free again', async () => {
  const store = await open();
  const done: string[] = [];
  const worker = store.worker('try', 4, async (data) => {
    const { name, fails } = data as { name: string; fails: boolean };
    done.push(name);
    if (fails) throw new Error('it did not work');
  });
  const queue = store.queue('try');
  const left = () => rowsOf(database.db, 'select id, state from bullmq.job');
  for (const round of [1, 2]) {
    for (const name of ['well', 'badly']) await queue.add(name, { name, fails: name === 'badly' });
    await expect.poll(() => done.length, { timeout: 60_000 }).toBe(2 * round);
    await expect.poll(left, { timeout: 60_000 }).toEqual([]);
  }
  await worker.close();
});

test('a job whose lock was lost is interrupted, is not reported as a fault, and runs again', async () => {
  const { url } = database;
  const store = await open();
  const queue = new pg.Client({ connectionString: url });
  await queue.connect();
  const said: string[] = [];
  let runs = 0;
  const job = {
    name: 'patient',
    data: z.object({}),
    key: () => 'only',
    async run(_: unknown, __: object, signal: AbortSignal) {
      if (++runs > 1) return;
      // Another process has the job, as after this one was suspended.
      await queue.query(`update bullmq.job set lock_token = 'somebody else' where state = 'active'`);
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    },
  };
  await openQueues<object>(store).enqueue(job, {});
  const workers = startWorkers<object>(
    store,
    [job],
    {},
    {
      concurrency: 1,
      onBug: (name, error) => said.push(`${name}: ${String(error)}`),
      onLostLock: (name) => said.push(`${name} lost`),
      onEnd: ({ job: name, outcome }) => said.push(`${name} ${outcome}`),
    },
  );
  try {
    await expect.poll(() => said, { timeout: 40_000 }).toEqual(['patient cut_off', 'patient lost', 'patient done']);
  } finally {
    await workers.close(1_000);
    await queue.end();
  }
});

interface Context {
  run(name: string): Promise<void>;
}

const job = (name: string, isConcurrent: boolean) => ({
  name,
  isConcurrent,
  data: z.object({ id: z.int() }),
  key: ({ id }: { id: number }) => `${name}-${id}`,
  run: (_: unknown, context: Context) => context.run(name),
});

test('a worker runs as many jobs of a kind at once as configured, and serial ones one by one', async () => {
  const store = await open();
  const [many, single] = [job('many', true), job('single', false)];
  const [running, most] = [new Map<string, number>(), new Map<string, number>()];
  let done = 0;
  const context: Context = {
    async run(name) {
      const now = (running.get(name) ?? 0) + 1;
      running.set(name, now);
      most.set(name, Math.max(now, most.get(name) ?? 0));
      await new Promise((resolve) => setTimeout(resolve, 150));
      running.set(name, running.get(name)! - 1);
      done++;
    },
  };
  const queues = openQueues<Context>(store);
  for (let id = 0; id < 9; id++) for (const each of [many, single]) await queues.enqueue(each, { id });
  const workers = startWorkers(store, [many, single], context, {
    concurrency: 3,
    onBug: (_, error) => expect.fail(String(error)),
  });
  try {
    await expect.poll(() => done, { timeout: 20_000 }).toBe(18);
    expect(Object.fromEntries(most)).toEqual({ many: 3, single: 1 });
  } finally {
    await workers.close(1_000);
  }
});
