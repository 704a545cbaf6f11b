import { expect, test } from 'vitest';
import { openPostgresStore } from '../../src/app/compose/queue.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';

const database = useDatabase({ from: 'empty' });

test('several processes may create the schema of the queue at the same moment', async () => {
  for (let round = 1; round <= 5; round++) {
    await database.db.query('drop schema if exists bullmq cascade');
    const stores = await Promise.all(Array.from({ length: 5 }, () => openPostgresStore(database.url, { warn() {} })));
    await Promise.all(stores.map((store) => store.close()));
  }
});

test('several processes that set the same schedule at the same moment create it once', async () => {
  const stores = await Promise.all(Array.from({ length: 4 }, () => openPostgresStore(database.url, { warn() {} })));
  const when = { pattern: '0 2 * * *', timeZone: 'Europe/London' };
  for (let round = 1; round <= 5; round++) {
    await Promise.all(stores.map((store) => store.queue('try').repeat(`nightly-${round}`, when, {})));
  }
  expect(await rowsOf(database.db, 'select state::text, count(*)::int as jobs from bullmq.job group by 1')).toEqual([
    { state: 'delayed', jobs: 5 },
  ]);
  await Promise.all(stores.map((store) => store.close()));
});
