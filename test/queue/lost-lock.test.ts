import pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { openQueues, startWorkers } from '../../src/crawl/queue/open-queues.ts';

import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test('a job whose lock was lost is interrupted, is not reported as a fault, and runs again', async () => {
  const { url } = database;
  const store = await openPostgresStore(url, { warn() {} });
  const queue = new pg.Client({ connectionString: url });
  await queue.connect();
  const said: string[] = [];
  let runs = 0;
  const job = {
    name: 'patient',
    payload: z.object({}),
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
    await store.close();
  }
});
