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
  const { rows: runs } = await db.query<{ run_id: number }>(
    `insert into ops.run (
       kind, snapshot_date, observed_at, started_at, finished_at, status, verdict, phase, origin, upstream, max_details)
     values ('stores', $1, $2, $2, $2, 'published', 'complete', 'units', 'command', 'simulator', 0) returning run_id`,
    [lastNight, seenAt],
  );
  await insert(db, 'ops.store_refresh', [{ run_id: runs[0]!.run_id, areas: '49,-11,61,2' }]);

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
  await insert(db, 'ops.fx_rate', [
    { base: 'EUR', quote: 'GBP', on_date: firstNight, rate: '0.86', source: 'test', loaded_at: seenAt },
  ]);
  // Nothing ran in the night after it.
  await insert(db, 'ops.run', [abandoned('2026-06-04')]);

  const { rows: partial } = await db.query<{ run_id: number }>(
    `update ops.certificate c set verdict = 'partial', reasons = $1
     from ops.run r where r.run_id = c.run_id and r.verdict = 'partial' returning r.run_id`,
    [JSON.stringify([{ code: 'pages_failed', path: 'Bakery', figures: [2, 9] }])],
  );
  for (const { run_id } of partial) {
    await insert(db, 'ops.finding', [
      { run_id, name: 'price-jump', severity: 'warn', found: 2, total: 40, samples: ['100', '101'] },
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

/** A run of ie that was given up. */
export function abandoned(night: string): Readonly<Record<string, unknown>> {
  const at = `${night}T01:00:00Z`;
  const over = { status: 'abandoned', phase: 'over', max_details: 0, origin: 'command' };
  return { region: 'ie', snapshot_date: night, observed_at: at, started_at: at, finished_at: at, ...over };
}
