import { describe, expect, it } from 'vitest';
import { createDatabase } from '../../src/db/client.ts';
import { refuseTransactionPooling } from '../../src/db/connection-pooling.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { useDatabase } from '../support/database.ts';
import { isPgBouncerInstalled, startPgBouncer } from '../support/pgbouncer.ts';

const database = useDatabase();
const cliHome = useCliHome();

it('a direct connection is not mistaken for a pooled one', async () => {
  await refuseTransactionPooling(database.db);
});

const why = isPgBouncerInstalled ? '' : ' (pgbouncer is not installed)';

describe.skipIf(!isPgBouncerInstalled)(`behind PgBouncer${why}`, () => {
  it('session mode passes, with the settings of every connection', async () => {
    const bouncer = await startPgBouncer(database.url, 'session');
    const db = createDatabase({ url: bouncer.through(database.url), applicationName: 'test' });
    try {
      await refuseTransactionPooling(db);
      const { rows } = await db.query(`select current_setting('idle_in_transaction_session_timeout') as idle`);
      expect(rows).toEqual([{ idle: '2min' }]);
    } finally {
      await db.end();
      await bouncer.stop();
    }
  });

  it.each(['transaction', 'statement'] as const)('%s mode is refused at the start with advice', async (mode) => {
    const bouncer = await startPgBouncer(database.url, mode);
    try {
      const { code, stderr } = await cliHome.run(['status'], { DATABASE_URL: bouncer.through(database.url) });
      expect(code).toBe(78);
      expect(stderr).toContain('DATABASE_URL: leads through a connection pooler in transaction or statement mode');
      expect(stderr).toContain('pool_mode = session');
    } finally {
      await bouncer.stop();
    }
  });
});
