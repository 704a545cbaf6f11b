import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findViolations, invariants } from '../../src/followers/audits/invariants.ts';
import { createSimulator, type Simulator } from '../../src/simulator/index.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { openDirectBook } from '../trust/direct-book.ts';

/** A statement that breaks a promise in a healthy catalogue of a few nights. */
const breaks: Readonly<Record<string, string>> = {
  'intervals of a history begin before they end and do not overlap': `
    insert into catalog.price_history (product_key, valid_from, valid_to, price_minor)
    select product_key, valid_from - interval '1 day', valid_from + interval '1 day', 1
    from catalog.price_history limit 1`,
  'intervals of a history begin and end at the instant of a published run of the region': `
    update catalog.price_history set valid_to = valid_to + interval '1 second'
    where ctid = (select min(ctid) from catalog.price_history)`,
  'of every product it is known what it is now, and only of products': `
    delete from catalog.product_current where ctid = (select min(ctid) from catalog.product_current)`,
  'prices and availability are known without a gap since the product was first seen': `
    update catalog.product set first_seen_at = first_seen_at - interval '1 day'`,
  "a product's availability and its flag for sale agree while it is listed": `
    update catalog.product set is_for_sale = not is_for_sale`,
  'prices are whole, positive pence or cents, and unit prices positive numbers': `
    update catalog.price_history set unit_price = 'NaN' where ctid = (select min(ctid) from catalog.price_history)`,
  'every published run has its certificate, and the same verdict in both places': `
    update ops.certificate set verdict = 'partial'`,
  'products become absent or delisted in certified runs only': `update ops.run set verdict = 'partial'`,
  "the last run's figures are what the catalogue holds": `update ops.run set products_listed = products_listed + 1`,
  'runs of a region go forward in time': `
    update ops.run set observed_at = '2030-01-01' where run_id = (select min(run_id) from ops.run)`,
  "every page of the last night was archived before it was read, and its body's place is known": `
    delete from ops.payload where sha256 in (select payload_sha256 from ops.category_page)`,
  'no more requests have an outcome than were sent': `update ops.spend set ok = ok + 1`,
};

describe('the invariants', () => {
  const installation = useInstallation();
  let simulator: Simulator;
  beforeAll(async () => {
    // Much happens in five nights: products vanish, come back, change their title, price and promotions.
    simulator = await createSimulator({
      items: 240,
      superDepartments: 5,
      dailyChange: 0.2,
      dailyTurnover: 0.01,
      flicker: 0.02,
    });
    const { databaseUrl, queue } = installation;
    const env = { DATABASE_URL: databaseUrl, ...queue, ARCHIVE: 'file' };
    const book = await openDirectBook({ upstream: simulator.url, env, maxDetails: 10 });
    for (const date of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04', '2026-03-05']) {
      simulator.change({ date });
      await book.night('uk', date);
    }
    await book.close();
  });
  afterAll(() => simulator?.close());

  test('the invariants hold after five nights', async () => {
    expect(await brokenInvariants(installation.db)).toEqual([]);
  });

  test('two changes of the seller in a row are two versions', async () => {
    const [product] = (
      await installation.db.query(
        'select product_key, first_seen_at from catalog.product order by product_key desc limit 1',
      )
    ).rows;
    const { rows: runs } = await installation.db.query('select observed_at from ops.run order by observed_at limit 3');
    const at = runs.map((row) => row['observed_at']);
    const spells = [
      ['One', at[0], at[1]],
      ['Two', at[1], at[2]],
    ];
    for (const [seller, from, to] of spells)
      await installation.db.query(
        `insert into catalog.product_history (product_key, title, seller, valid_from, valid_to)
         values ($1, 'Sold by several', $2, $3, $4)`,
        [product!['product_key'], seller, from, to],
      );
    expect(await brokenInvariants(installation.db)).toEqual([]);
    await installation.db.query(`delete from catalog.product_history where title = 'Sold by several'`);
  });

  test.each([...invariants])('a violation is detected: $says', async ({ says }) => {
    const statement = breaks[says];
    expect(statement, `nothing is known that breaks "${says}"`).toBeDefined();
    const undo = new Error('undo');
    let found: string[] = [];
    await installation.db
      .tx(async (tx) => {
        await tx.query('set local session_replication_role = replica');
        await tx.query('alter table catalog.price_history drop constraint if exists price_history_interval');
        const { rowCount } = await tx.query(statement!);
        expect(rowCount, 'nothing was there to break').toBeGreaterThan(0);
        found = (await findViolations(tx, invariants)).map((violation) => violation.says);
        throw undo;
      })
      .catch((error) => {
        if (error !== undo) throw error;
      });
    expect(found).toContain(says);
  });
});
