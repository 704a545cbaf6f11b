import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestDetails } from '../../src/crawl/ledger/details.ts';
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
    const env = { DATABASE_URL: databaseUrl, ...queue };
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
      `select reason, count(*)::int as products from ops.detail_fetch join ops.run using (run_id)
       where snapshot_date = $1 and reason <> 'missing' and detail_fetch.status = 'done' group by reason`,
      [date],
    );
    return Object.fromEntries(rows.map(({ reason, products }) => [reason, products]));
  };
  const listed = async () => {
    const [row] = await rowsOf<{ products: number }>(
      installation.db,
      `select products_listed as products from ops.published_run order by run_id desc limit 1`,
    );
    return row!.products;
  };

  test('details of new products come first, up to the limit', async () => {
    await crawl('2026-03-01');
    expect(await counted('2026-03-01')).toEqual({ new: 100 });
  });

  test('details of changed products follow, with a share of the oldest', async () => {
    await crawl('2026-03-02');
    await crawl('2026-03-03');
    const { new: fresh = 0, changed = 0, refresh = 0 } = await counted('2026-03-03');
    expect(changed).toBeGreaterThan(0);
    const known = await listed();
    expect(refresh).toBeLessThanOrEqual(Math.ceil(known / 30));
    expect(refresh + fresh + changed).toBeLessThanOrEqual(100);
  });

  test('details of products that a user requested come before all others, until they are read', async () => {
    const [product] = await rowsOf<{ id: string }>(
      installation.db,
      `select product_id as id
       from ops.detail_fetch join ops.run using (run_id)
       where snapshot_date = '2026-03-03' and reason = 'changed' and detail_fetch.status = 'done'
       limit 1`,
    );
    await requestDetails(installation.db, 'uk', [product!.id]);
    const chosen = async (date: string) => {
      const [choice] = await rowsOf<{ reason: string; place: number }>(
        installation.db,
        `select reason, place from ops.choose_details('uk', null, $1, 1000, 30) where product_id = $2`,
        [nightOf(date), product!.id],
      );
      return choice;
    };
    expect(await chosen('2026-03-04')).toEqual({ reason: 'requested', place: 1 });
    await crawl('2026-03-04');
    expect(await counted('2026-03-04')).toMatchObject({ requested: 1 });
    expect((await chosen('2026-03-05'))?.reason).not.toBe('requested');
    // Older than the maximum age.
    expect((await chosen('2026-05-01'))?.reason).toBe('refresh');
  });
});
