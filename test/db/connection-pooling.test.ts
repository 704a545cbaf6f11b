import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/client.ts';
import { refuseTransactionPooling } from '../../src/db/connection-pooling.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { useHousehold } from '../cli/pricebook.ts';
import { crawlNight, nightOf } from '../support/crawl.ts';
import { useDatabase } from '../support/database.ts';
import { forgetEverything } from '../support/forget-everything.ts';
import { isPgBouncerInstalled, startPgBouncer } from '../support/pgbouncer.ts';

const database = useDatabase();
const household = useHousehold();

it('a direct connection is not mistaken for a pooled one', async () => {
  await refuseTransactionPooling(database.db);
});

const why = isPgBouncerInstalled ? '' : ' (pgbouncer is not installed)';

describe.skipIf(!isPgBouncerInstalled)(`behind PgBouncer${why}`, () => {
  it('in session mode a night is crawled with its queue in the same database', async () => {
    const bouncer = await startPgBouncer(database.url, 'session');
    // By a first try.
    await forgetEverything(database.db);
    const simulator = await createSimulator({ items: 100, superDepartments: 4, date: '2026-03-01' });
    try {
      const runs = await crawlNight({
        installation: { databaseUrl: bouncer.through(database.url) },
        upstream: simulator.url,
        now: nightOf('2026-03-01'),
        regions: ['uk'],
      });
      expect(runs.map(({ verdict }) => verdict)).toEqual(['complete']);
      const db = createDatabase({ url: bouncer.through(database.url), applicationName: 'test' });
      const { rows } = await db.query(`select current_setting('idle_in_transaction_session_timeout') as idle`);
      await db.end();
      expect(rows).toEqual([{ idle: '2min' }]);
    } finally {
      await simulator.close();
      await bouncer.stop();
    }
  });

  it.each(['transaction', 'statement'] as const)('%s mode is refused at the start with advice', async (mode) => {
    const bouncer = await startPgBouncer(database.url, mode);
    try {
      const { code, stderr } = await household.run(['status'], { DATABASE_URL: bouncer.through(database.url) });
      expect(code).toBe(78);
      expect(stderr).toContain('DATABASE_URL: leads through a connection pooler in transaction or statement mode');
      expect(stderr).toContain('pool_mode = session');
    } finally {
      await bouncer.stop();
    }
  });
});
