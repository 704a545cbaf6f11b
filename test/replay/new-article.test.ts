import { afterAll, beforeAll, expect, test } from 'vitest';
import { rowsOf } from '../../src/db/rows.ts';
import { useCliHome } from '../cli/pricebook.ts';
import { brokenInvariants } from '../support/invariants.ts';
import { useInstallation } from '../support/queue-backends.ts';
import { sentinelKey } from '../support/sentinel-key.ts';
import { createSmallUpstream, type SmallProduct, type SmallUpstream } from '../support/small-upstream.ts';
import { crawlDirectly } from '../trust/direct-book.ts';

const installation = useInstallation();
const cliHome = useCliHome({ book: installation });
const others = Array.from({ length: 60 }, (_, i) => ({ id: String(2_000 + i), price: 3 }));
const milk = { id: '1', title: 'Whole Milk', price: 1.5, fields: { brand: 'MERIDIAN', gtin: '05000157024671' } };
const speaker = { id: '1', title: 'Blue Speaker', price: 9, fields: { brand: 'SONIQ', gtin: '04548736000001' } };
const bread = (price: number, isForSale: boolean) => ({ id: '2', title: 'Bread', price, fields: { isForSale } });
const dates = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'];

let upstream: SmallUpstream;
beforeAll(async () => {
  upstream = await createSmallUpstream({ shelves: { Drinks: others }, pageSize: 24 });
});
afterAll(() => upstream?.close());

const env = () => ({ GROCERY_BASE_URL: upstream.url, GROCERY_KEY: sentinelKey });

async function night(date: string, products: readonly SmallProduct[]) {
  upstream.change({ shelves: { Drinks: [...products, ...others] } });
  const [run] = await crawlDirectly({
    installation,
    upstream: upstream.url,
    date,
    regions: ['uk'],
    home: cliHome.home,
    env: { ARCHIVE: 'file' },
  });
  return run!;
}

/** What the book says of the two products on every night, and of the prices that were only shown. */
async function known(): Promise<unknown[]> {
  const asOf = await Promise.all(
    dates.map((date) =>
      rowsOf(
        installation.db,
        `select $1 as date, title, price, availability from marts.as_of('uk', $1) where product_id in ('1', '2')
         order by title`,
        [date],
      ),
    ),
  );
  const articles = await rowsOf(
    installation.db,
    `select title, replaced_at, availability from marts.dim_product where product_id = '1' order by title`,
  );
  const shown = await rowsOf(
    installation.db,
    'select price_minor, valid_from, valid_to from catalog.shown_price order by valid_from',
  );
  return [...asOf.flat(), ...articles, ...shown];
}

const replay = (from: string) =>
  cliHome.run(
    ['--now', '2026-05-05T12:00:00Z', 'replay', '--from', from, '--to', dates[3]!, '--region', 'uk', '--apply'],
    env(),
  );

test('an id used again on a night that is held and released is a new article, also after replays', async () => {
  await night(dates[0]!, [milk, bread(2, true)]);
  // A price that is only shown from here to the last night.
  await night(dates[1]!, [milk, bread(0.5, false)]);
  upstream.change({
    page: (_, products) =>
      products.map((one) => (Number(one.id) < 2_000 ? one : { ...one, fields: { isForSale: 'yes' } })),
  });
  const held = await night(dates[2]!, [speaker, bread(0.5, false)]);
  upstream.change({ page: (_, products) => products });
  expect(held.status).toBe('held');
  const now = ['--now', `${dates[2]}T20:00:00Z`];
  const released = await cliHome.run(
    [...now, 'certify', '--release', String(held.runId), '--why', 'flags are odd'],
    env(),
  );
  expect(released).toMatchObject({ code: 0 });
  await night(dates[3]!, [speaker, bread(2, true)]);

  const before = await known();
  const said = (date: string, title: string, price: string, availability: string) => ({
    date,
    title,
    price,
    availability,
  });
  expect(before.slice(0, 8)).toEqual([
    said(dates[0]!, 'Bread', '2.00', 'available'),
    said(dates[0]!, 'Whole Milk', '1.50', 'available'),
    said(dates[1]!, 'Bread', '0.50', 'unavailable'),
    said(dates[1]!, 'Whole Milk', '1.50', 'available'),
    said(dates[2]!, 'Blue Speaker', '9.00', 'available'),
    said(dates[2]!, 'Bread', '0.50', 'unavailable'),
    said(dates[3]!, 'Blue Speaker', '9.00', 'available'),
    said(dates[3]!, 'Bread', '2.00', 'available'),
  ]);
  expect(before[9]).toMatchObject({ title: 'Whole Milk', availability: 'delisted' });
  // From between the ends of the shown price, and from the beginning.
  for (const from of [dates[2]!, dates[0]!]) {
    expect(await replay(from)).toMatchObject({ code: 0 });
    expect(await known()).toEqual(before);
    expect(await brokenInvariants(installation.db)).toEqual([]);
  }
});
