import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestDetails } from '../../src/crawl/ledger/detail-visits.ts';
import { readDetailsBacklog } from '../../src/crawl/status/details-backlog.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { nightOf } from '../support/crawl.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';

describe('the details that a night requests', () => {
  const installation = useInstallation();
  let [simulator, book] = [] as unknown as [Simulator, DirectBook];
  beforeAll(async () => {
    simulator = await createSimulator({ items: 120, superDepartments: 4, packChanges: 0.02 });
    const { databaseUrl, queue } = installation;
    const env = { DATABASE_URL: databaseUrl, ...queue, DETAILS_MAX_AGE: '30' };
    book = await openDirectBook({ upstream: simulator.url, env, maxDetails: 100 });
  });
  afterAll(async () => {
    await book?.close();
    await simulator?.close();
  });

  const crawl = (date: string) => {
    simulator.change({ date });
    book.setTo(date);
    return book.night('uk', date);
  };
  const counted = async (date: string) => {
    const rows = await rowsOf<{ reason: string; products: number }>(
      installation.db,
      `select reason, count(*)::int as products from marts.detail_payload
       where snapshot_date = $1 and reason <> 'missing' group by reason`,
      [date],
    );
    return Object.fromEntries(rows.map(({ reason, products }) => [reason, products]));
  };
  const backlog = (date: string, limit: number, explain: string | null = null) =>
    readDetailsBacklog(installation.db, 'uk', { now: nightOf(date), limit, maxAgeDays: 30, explain });

  test('details of new products come first, up to the limit', async () => {
    await crawl('2026-03-01');
    expect(await counted('2026-03-01')).toEqual({ new: 100 });
    const { known, without, chosen, ageBoundDays } = await backlog('2026-03-02', 10);
    expect([known, chosen, ageBoundDays]).toEqual([100, { new: 10 }, null]);
    expect(without).toBeGreaterThan(10);
  });

  test('details of changed products follow, with a share of the oldest', async () => {
    await crawl('2026-03-02');
    await crawl('2026-03-03');
    const { new: fresh = 0, changed = 0, refresh = 0 } = await counted('2026-03-03');
    expect(changed).toBeGreaterThan(0);
    const { known, without } = await backlog('2026-03-04', 100);
    expect(without).toBe(0);
    expect(refresh).toBeLessThanOrEqual(Math.ceil(known / 30));
    expect(refresh + fresh + changed).toBeLessThanOrEqual(100);
    const ahead = await backlog('2026-03-04', 100);
    expect(ahead.chosen).toEqual({ refresh: Math.ceil(known / 30) });
    expect(ahead.ageBoundDays).toBe(30);
  });

  test('all details older than the maximum age are requested, up to the limit', async () => {
    const { known, chosen, wanted } = await backlog('2026-05-01', 40);
    expect([wanted, chosen]).toEqual([known, { refresh: 40 }]);
  });

  test('details of products that a user requested come before all others, until they are read', async () => {
    const [product] = await rowsOf<{ id: string }>(
      installation.db,
      `select product_id as id
       from marts.detail_payload
       where snapshot_date = '2026-03-03' and reason = 'changed'
       limit 1`,
    );
    await requestDetails(installation.db, 'uk', [product!.id], new Date('2026-03-03T12:00:00Z'));
    expect((await backlog('2026-03-04', 1, product!.id)).explained).toMatchObject({
      reason: 'requested',
      isChosen: true,
      place: 1,
    });
    await crawl('2026-03-04');
    expect(await counted('2026-03-04')).toMatchObject({ requested: 1 });
    expect((await backlog('2026-03-05', 1, product!.id)).explained).not.toMatchObject({ reason: 'requested' });
  });

  test('requested details are counted in marts.fct_detail_night together with the changed ones', async () => {
    const rows = await rowsOf<{ date: string; asked: number; changed: number }>(
      installation.db,
      `select snapshot_date::text as date, details_asked as asked, details_changed as changed
       from marts.fct_detail_night order by 1`,
    );
    for (const { date, asked, changed } of rows) {
      const sum = Object.values(await counted(date)).reduce((total, products) => total + products, 0);
      expect([date, asked]).toEqual([date, sum]);
      expect(changed).toBeLessThanOrEqual(asked);
    }
    expect(rows[0]!.changed).toBe(0);
  });
});
