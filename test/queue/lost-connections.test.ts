import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { isConnectionError } from '../../src/db/connection-error.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createPostgresStore } from '../../src/queue/store.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase({ from: 'empty' });

test('a worker whose connections to its queue are cut takes the next job', async () => {
  const store = await createPostgresStore(database.url, { warn() {} }, { isConnectionError });
  const done: unknown[] = [];
  const worker = store.worker('count', 1, async (payload) => void done.push(payload));
  const queue = store.queue('count');
  await queue.add('first', { n: 1 });
  await expect.poll(() => done, { timeout: 50_000 }).toEqual([{ n: 1 }]);
  // It listens by now: nothing is left to do.
  await sleep(500);

  const cut = await rowsOf(
    database.db,
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'pricebook queue'`,
  );
  expect(cut.length).toBeGreaterThan(0);
  await queue.add('second', { n: 2 });
  await expect.poll(() => done, { timeout: 50_000 }).toEqual([{ n: 1 }, { n: 2 }]);
  await worker.close();
  await store.close();
});
