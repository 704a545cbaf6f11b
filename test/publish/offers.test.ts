import { expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useDatabase } from '../support/database.ts';
import { publishOnePage } from '../support/one-page-night.ts';
import { listed, promoted } from '../support/open-run.ts';

const database = useDatabase();

test('an offer ends with a promotion whose last day has passed, although the product did not change', async () => {
  const promotion = promoted({
    description: '80p Clubcard Price',
    startsAt: null,
    endsAt: new Date('2026-03-02T12:00:00Z'),
    kind: 'loyalty_price',
    loyaltyPriceMinor: 80,
  });
  const bread = listed('1', { priceMinor: 100, promotions: [promotion] });
  for (const date of ['2026-03-01', '2026-03-02', '2026-03-03']) await publishOnePage(database.db, date, [bread], true);
  const rows = await rowsOf(
    database.db,
    `select loyalty_price_minor as price, valid_from::date::text as since, valid_to::date::text as until
     from catalog.offer_spell`,
  );
  expect(rows).toEqual([{ price: 80, since: '2026-03-01', until: '2026-03-03' }]);
  expect(
    await rowsOf(
      database.db,
      `select snapshot_date as date, loyalty_price as price, on_promotion as is_on
       from marts.fct_price_daily
       order by 1`,
    ),
  ).toEqual([
    { date: '2026-03-01', price: '0.80', is_on: true },
    { date: '2026-03-02', price: '0.80', is_on: true },
    { date: '2026-03-03', price: null, is_on: false },
  ]);
});
