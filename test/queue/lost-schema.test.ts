import pg from 'pg';
import { afterEach, expect, test } from 'vitest';
import { createPostgresStore, type QueueStore } from '../../src/queue/store.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase();
let store: QueueStore | null = null;
afterEach(() => store?.close());

test("a job that is being added while the queue's schema is dropped under it is added to the one made in its place", async () => {
  const url = await database.queueUrl();
  store = await createPostgresStore(url, { warn() {} });
  const queue = store.queue('work');
  await queue.add('before', {});
  const dropper = new pg.Client({ connectionString: url });
  await dropper.connect();
  try {
    await dropper.query('begin');
    // What the function that adds asks first: so it holds nothing yet that dropping would wait for.
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

async function waiting(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
     where wait_event_type = 'Lock' and application_name = 'pricebook queue' and datname = current_database()`,
  );
  return rows[0]!.count;
}
