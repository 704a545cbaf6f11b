import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import type { QueueStore } from '../../src/crawl/queue/store.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
let store: QueueStore | null = null;
afterEach(async () => {
  await store?.close();
  store = null;
});

test("a job that is added while the queue's schema is dropped is added to the new schema", async () => {
  const { url } = database;
  store = await openPostgresStore(url, { warn() {} });
  const queue = store.queue('work');
  await queue.add('before', {});
  const dropper = new pg.Client({ connectionString: url });
  await dropper.connect();
  try {
    await dropper.query('begin');
    // The first query of the adding function, so that it holds no lock yet.
    await dropper.query('alter sequence bullmq.job_seq no cycle');
    const adding = queue.add('meanwhile', {});
    await expect.poll(() => waiting(dropper)).toBe(1);
    await dropper.query('drop schema bullmq cascade');
    await dropper.query('commit');
    await adding;
    const { rows } = await dropper.query(`select count(*)::int as jobs from bullmq.job`);
    expect(rows).toEqual([{ jobs: 1 }]);
  } finally {
    await dropper.end();
  }
});

test('a schema that is dropped during its creation is created all the same', async () => {
  const { url } = database;
  const dropper = new pg.Client({ connectionString: url });
  await dropper.connect();
  try {
    // The process that creates the schema finds it there and waits before its first table.
    await dropper.query(`
      drop schema if exists bullmq cascade;
      create schema bullmq;
      create function public.hold() returns event_trigger language plpgsql as
        'begin perform pg_advisory_xact_lock(4711); end';
      create event trigger hold on ddl_command_start when tag in ('CREATE TABLE') execute function public.hold();
      select pg_advisory_lock(4711)`);
    const making = openPostgresStore(url, { warn() {} });
    making.catch(() => undefined);
    await expect.poll(() => waiting(dropper)).toBe(1);
    await dropper.query('drop event trigger hold; drop schema bullmq cascade; select pg_advisory_unlock(4711)');
    store = await making;
    await store.queue('work').add('afterwards', {});
    const { rows } = await dropper.query('select count(*)::int as jobs from bullmq.job');
    expect(rows).toEqual([{ jobs: 1 }]);
  } finally {
    await dropper.end();
  }
});

async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where wait_event_type = 'Lock' and application_name = 'pricebook queue' and datname = current_database()`,
  );
  return rows[0]!.count;
}
