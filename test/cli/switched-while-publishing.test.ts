import { expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator } from '../../src/simulator/index.ts';
import { useDatabase } from '../support/database.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { disagreements } from '../support/truth.ts';
import { useHousehold } from './pricebook.ts';

const household = useHousehold();
const database = useDatabase({ from: 'migrated' });

test('a crawl started during a publication continues the open run without duplicate requests', async () => {
  const { db, url } = database;
  const date = '2026-03-01';
  const simulator = await createSimulator({ items: 120, superDepartments: 4, date });
  const env = { DATABASE_URL: url, GROCERY_BASE_URL: simulator.url };
  const crawl = ['--now', date, 'crawl', '--region', 'uk'];
  const askedOfUk = () =>
    simulator.log({ full: true }).requests!.filter(({ path }) => !path.includes('ireland')).length;
  try {
    await db.withClient(async (holder) => {
      await holder.query('begin');
      // Reads continue; a publication waits at its first price.
      await holder.query('lock table catalog.price_history in share mode');
      const first = household.start([...crawl, '--max-details', '3'], env);
      await expect.poll(publishing, { timeout: 60_000 }).toBe(1);
      const before = askedOfUk();
      expect(before).toBeGreaterThan(10);
      const held = await waiting();
      const second = household.start([...crawl, '--region', 'ie', '--max-details', '9'], {
        ...env,
        REQUEST_CONCURRENCY: '3',
        DELIST_AFTER: '5',
      });
      // It waits for the night that is published before it opens that of the other region.
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(held);
      await holder.query('rollback');
      for (const { ended } of [first, second]) expect(await ended).toMatchObject({ code: 0 });
      expect(askedOfUk()).toBe(before);
    });
    expect(
      await rowsOf(db, 'select region::text, status::text, verdict::text, max_details from ops.run order by run_id'),
    ).toEqual([
      { region: 'uk', status: 'published', verdict: 'complete', max_details: 3 },
      { region: 'ie', status: 'published', verdict: 'complete', max_details: 9 },
    ]);
    for (const region of ['uk', 'ie'] as const) expect(await disagreements(db, simulator, region, date)).toEqual([]);
    expect(await brokenInvariants(db)).toEqual([]);
  } finally {
    await simulator.close();
  }

  async function waiting(): Promise<number> {
    const [row] = await rowsOf<{ waiting: number }>(
      db,
      `select count(*)::int as waiting
       from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    return row!.waiting;
  }

  /** How many processes wait to publish a price. */
  async function publishing(): Promise<number> {
    const [row] = await rowsOf<{ waiting: number }>(
      db,
      `select count(distinct pid)::int as waiting
       from pg_locks
       where relation = 'catalog.price_history'::regclass and not granted`,
    );
    return row!.waiting;
  }
});
