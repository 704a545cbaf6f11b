import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase({ from: 'empty' });

test('a finished or failed job leaves nothing in the queue, and its key is free again', async () => {
  const store = await openPostgresStore(database.url, { warn() {} });
  const done: string[] = [];
  const worker = store.worker('try', 4, async (payload) => {
    const { name, fails } = payload as { name: string; fails: boolean };
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
  await store.close();
});
