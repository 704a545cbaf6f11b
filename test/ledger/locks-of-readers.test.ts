import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { lockForPublication } from '../../src/crawl/run/transitions.ts';
import { settleWorld } from '../../src/crawl/world.ts';
import { migrate } from '../../src/db/migrate.ts';
import { keepAlerts } from '../../src/followers/alerts/alerts.ts';
import { useDatabase } from '../support/database.ts';
import { openRun } from '../support/open-run.ts';

/** Everything that was ever locked with an advisory key. */
const names = ['open run uk', 'publish uk', 'world', 'change key'].map((name) => `pricebook ${name}`);
const takeAll = `
  select pg_advisory_lock(hashtext(name)) from unnest($1::text[]) as name
  union all select pg_advisory_lock(hashtextextended('pricebook alerts', 0))
  union all select pg_advisory_lock(1651470187)`;
const now = new Date('2026-03-01T03:00:00Z');

describe('a role that only reads marts', () => {
  const database = useDatabase();
  const asReader = <Result>(use: (ask: (text: string, values?: unknown[]) => Promise<unknown>) => Promise<Result>) =>
    database.db.withClient(async (client) => {
      await client.query('set role bi_reader');
      try {
        return await use((text, values) => client.query(text, values));
      } finally {
        await client.query('reset role');
        await client.query('select pg_advisory_unlock_all()');
      }
    });

  it('a role that only reads marts cannot take a lock that a night waits for', async () => {
    const { db } = database;
    // PostgreSQL's default rights.
    await db.query('grant execute on function pg_advisory_lock(bigint) to public');
    await asReader(async (ask) => {
      await ask(takeAll, [names]);
      const night = async () => {
        const world = { kind: 'simulated', seed: 1, items: 1 } as const;
        await settleWorld(db, { world, clock: 'machine', now, acceptNewHost: false, waysOut: '' });
        const { runId } = await openRun(db);
        await db.tx((tx) => lockForPublication(tx, runId));
        await keepAlerts(db, [], now);
        await migrate(db);
        return 'done';
      };
      expect(await Promise.race([night(), sleep(20_000, 'waits')])).toBe('done');
    });
  });
});
