import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { countVisits } from '../../src/ledger/detail-visits.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { type DirectBook, openDirectBook } from '../trust/direct-book.ts';

describe('what visits to product pages found', () => {
  const installation = useInstallation();
  let [simulator, book] = [] as unknown as [Simulator, DirectBook];
  beforeAll(async () => {
    simulator = await createSimulator({ items: 120, superDepartments: 4, packChanges: 0.02 });
    const { databaseUrl, queue } = installation;
    const env = { DATABASE_URL: databaseUrl, ...queue };
    book = await openDirectBook({ upstream: simulator.url, env, maxDetails: 200 });
  });
  afterAll(async () => {
    await book?.close();
    await simulator?.close();
  });

  const crawl = (date: string) => {
    simulator.change({ date });
    return book.night('uk', date);
  };

  const read = async () => {
    const [row] = await rowsOf<Record<string, number>>(
      installation.db,
      `select
         (select count(*) from ops.detail_visit)::int as products,
         (select sum(visits) from ops.detail_visit)::int as visits,
         (select sum(changes) from ops.detail_visit)::int as changes,
         (select sum(quiet_days + changed_days) from ops.detail_visit)::int as days,
         (select count(*) from ops.detail_fetch join catalog.product using (product_id) where status = 'done')::int as answered,
         (select count(*) from catalog.product_detail where valid_to is not null)::int as closed,
         (select sum(visits) from ops.detail_yield)::int as yielded,
         (select coalesce(sum(visits) filter (where reason = 'tile'), 0) from ops.detail_yield)::int as tiles,
         (select coalesce(sum(changes) filter (where reason = 'tile'), 0) from ops.detail_yield)::int as "changedTiles",
         (select count(*) from ops.run_forecast where not are_visits_counted)::int as uncounted`,
    );
    return row!;
  };

  test('after the first night is one visit to every product, of which none counts as a change', async () => {
    await crawl('2026-03-01');
    const found = await read();
    expect(found).toMatchObject({
      visits: found['products'],
      answered: found['visits'],
      yielded: found['visits'],
      changes: 0,
      days: 0,
      uncounted: 0,
    });
    expect(found['products']).toBeGreaterThan(100);
  });

  test('afterwards are the changes that were written, and the days between', async () => {
    await crawl('2026-03-16');
    await crawl('2026-03-31');
    const found = await read();
    expect(found['changes']).toBe(found['closed']);
    expect(found['changes']).toBeGreaterThan(0);
    expect(found['visits']).toBe(found['answered']);
    expect(found['days']).toBeGreaterThanOrEqual(found['visits']! - found['products']!);
    // A new title says that more is new.
    expect(found['changedTiles']).toBeGreaterThan(found['tiles']! / 2);
  });

  test('count once, also when the night is crawled twice', async () => {
    const before = await read();
    await countVisits(installation.db, 'uk');
    expect(await read()).toEqual(before);
    await crawl('2026-03-31');
    const after = await read();
    expect(after['visits']! - before['visits']!).toBe(after['answered']! - before['answered']!);
    expect(after['changes']).toBe(after['closed']);
  });

  test('say of every product asked for why, how old its details were and how likely they had changed', async () => {
    const rows = await rowsOf<{ reason: string; isJudged: boolean }>(
      installation.db,
      `select distinct reason, chance is not null and age_days is not null as "isJudged" from ops.detail_fetch
       where reason not in ('missing', 'delist')`,
    );
    expect(rows.filter(({ reason, isJudged }) => (reason === 'new') === isJudged)).toEqual([]);
    expect(rows.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['new', 'audit', 'tile']));
  });
});
