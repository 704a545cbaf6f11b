import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test('a worker that stopped taking jobs for a while is closed only after its earlier jobs have ended', async () => {
  const store = await openPostgresStore(database.url, { warn() {} });
  const ended: string[] = [];
  let finish = () => {};
  const worker = store.worker('slow', 1, async (payload) => {
    const { name } = payload as { name: string };
    if (name === 'before') await new Promise<void>((resolve) => (finish = resolve));
    ended.push(name);
  });
  const queue = store.queue('slow');
  await queue.add('before', { name: 'before' });
  await expect.poll(() => store.depths('slow')).toMatchObject({ active: 1 });
  worker.takeNone();
  worker.takeAgain();
  await queue.add('after', { name: 'after' });
  await expect.poll(() => ended).toEqual(['after']);

  const closing = worker.close().then(() => ended.push('closed'));
  await store.ping();
  finish();
  await closing;
  expect(ended).toEqual(['after', 'before', 'closed']);
  await store.close();
});

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
