import type { Queryable } from '../../src/db/client.ts';
import { insert } from '../support/insert.ts';

/** What five played nights do not bring: shops, searches, exchange rates, and a night that a person must look at. */
export async function addRows(
  db: Queryable,
  { firstNight, lastNight }: { firstNight: string; lastNight: string },
): Promise<void> {
  const seenAt = `${lastNight}T01:00:00Z`;
  const store = (id: string, latitude: number, longitude: number, more: object) => ({
    store_id: id,
    display_name: `Shop ${id} <b>&amp; "Co"`,
    store_type: 'Superstore',
    latitude,
    longitude,
    city: 'Leeds',
    country: 'United Kingdom',
    first_seen_at: `${firstNight}T01:00:00Z`,
    valid_from: seenAt,
    ...more,
  });
  await insert(db, 'catalog.store', [
    store('1', 53.8, -1.55, { is_curbside_enabled: true }),
    store('2', 51.5, -0.12, { city: 'London', store_type: 'Express' }),
    store('3', 53.35, -6.26, { city: 'Dublin', country: 'Ireland' }),
    store('4', 57.15, -2.09, { city: 'Aberdeen', gone_at: seenAt }),
  ]);
  await insert(db, 'ops.store_refresh', [
    {
      areas: '49,-11,61,2',
      observed_at: seenAt,
      status: 'published',
      origin: 'command',
      upstream: 'simulator',
      clock: 'played',
      started_at: seenAt,
      finished_at: seenAt,
      verdict: 'complete',
      circles: 9,
      stores_seen: 3,
      stores_new: 3,
      stores_changed: 0,
      stores_gone: 1,
      distance_per_mile: 1,
    },
  ]);

  const { rows: listed } = await db.query<{ product_id: string; title: string; brand: string | null }>(
    `select product_id, title, brand from catalog.product where region = 'uk' order by product_key limit 8`,
  );
  for (const [night, order] of [
    [firstNight, listed],
    [lastNight, [...listed].reverse().slice(1)],
  ] as const) {
    await insert(
      db,
      'catalog.search_rank',
      order.map(({ product_id, title, brand }, i) => ({
        region: 'uk',
        keyword: 'milk <i>',
        snapshot_date: night,
        rank: i + 1,
        product_id,
        title,
        brand,
        sponsored: i === 0,
        is_for_sale: true,
        price_minor: 100 + i,
      })),
    );
  }
  await insert(db, 'catalog.search_filter', [
    { region: 'uk', keyword: 'milk <i>', snapshot_date: lastNight, position: 1, category_id: null, name: 'Dairy' },
  ]);
  await insert(db, 'ops.fx_rate', [
    { base: 'EUR', quote: 'GBP', on_date: firstNight, rate: '0.86', source: 'test', loaded_at: seenAt },
  ]);
  await insert(db, 'ops.missed_night', [{ region: 'ie', snapshot_date: '2026-06-05', noticed_at: seenAt }]);

  const { rows: partial } = await db.query<{ run_id: number }>(
    `update ops.certificate c set verdict = 'partial', reasons = '{"Bakery: 2 of 9 pages could not be read"}'
     from ops.run r where r.run_id = c.run_id and r.verdict = 'partial' returning r.run_id`,
  );
  for (const { run_id } of partial) {
    await insert(db, 'ops.finding', [
      {
        run_id,
        name: 'price-jump',
        severity: 'warn',
        found: 2,
        message: '2 prices moved by more than a factor of four.',
        samples: ['100', '101'],
      },
    ]);
    await insert(db, 'ops.quarantine', [
      {
        run_id,
        region: 'uk',
        endpoint: 'uk-category-page',
        path: 'data.products[3].price',
        reason: 'Invalid input: expected number',
        value: '"<b>free</b>"',
        seen_at: seenAt,
      },
    ]);
  }
}
