import { expect, test } from 'vitest';
import { z } from 'zod';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { openQueues, startWorkers } from '../../src/crawl/queue/open-queues.ts';

import { useDatabase } from '../support/database.ts';

const database = useDatabase();

interface Context {
  run(name: string): Promise<void>;
}

const job = (name: string, isConcurrent: boolean) => ({
  name,
  isConcurrent,
  payload: z.object({ id: z.int() }),
  key: ({ id }: { id: number }) => `${name}-${id}`,
  run: (_: unknown, context: Context) => context.run(name),
});

test('a worker runs as many jobs of a kind at once as configured, and serial ones one by one', async () => {
  const store = await openPostgresStore(database.url, { warn() {} });
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
    await store.close();
  }
});
