import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test('a schema that is dropped while a worker is at work is created again by the worker itself', async () => {
  const store = await openPostgresStore(database.url, { warn() {} });
  const worker = store.worker('slow', 1, async () => {
    await database.db.query('drop schema bullmq cascade');
  });
  await store.queue('slow').add('drops', {});
  await expect.poll(() => store.depths('slow').catch(() => null)).toEqual({ waiting: 0, active: 0, delayed: 0 });
  const { rows } = await database.db.query(`select to_regclass('bullmq.job') is not null as is_there`);
  expect(rows).toEqual([{ is_there: true }]);
  await worker.close();
  await store.close();
});
