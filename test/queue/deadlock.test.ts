import pg from 'pg';
import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();

test('a job is added again after PostgreSQL aborts its insert in a deadlock', async () => {
  const { url } = database;
  const cleaner = new pg.Client({ connectionString: url });
  await cleaner.connect();
  // The adding session checks for deadlocks earlier than the other one, so PostgreSQL aborts it.
  await cleaner.query(
    `do $$ begin execute format('alter database %I set deadlock_timeout = ''2s''', current_database()); end $$`,
  );
  await cleaner.query(`set deadlock_timeout = '5min'`);
  const store = await openPostgresStore(url, { warn() {} });
  try {
    const queue = store.queue('work');
    await queue.add('before', {});
    await cleaner.query('begin');
    await cleaner.query('lock table bullmq.job in access exclusive mode');
    const adding = queue.add('meanwhile', {});
    adding.catch(() => undefined);
    await expect.poll(() => waiting(cleaner)).toBe(1);
    // The job's number was drawn by then, so this waits for the one that waits.
    await cleaner.query('alter sequence bullmq.job_seq no cycle');
    await cleaner.query('commit');
    await adding;
    const { rows } = await cleaner.query('select count(*)::int as jobs from bullmq.job');
    expect(rows).toEqual([{ jobs: 2 }]);
  } finally {
    await cleaner.end();
    await store.close();
  }
});

async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where wait_event_type = 'Lock' and application_name = 'pricebook queue' and datname = current_database()`,
  );
  return rows[0]!.count;
}
