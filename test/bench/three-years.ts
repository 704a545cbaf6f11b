import type { Database } from '../../src/db/client.ts';
import { derive } from '../support/derive.ts';

/** The three years before the night of 2026-03-01, and a night in their middle. */
export const historyBegins = { date: '2023-03-01', middle: '2024-09-01' } as const;

/**
 * Gives a book of one night three years of nights before it: 16 former prices a product (1.5 % a night), 4 former states of
 * availability, 10 former promotion spells, and a published run each night. Says how many rows the histories have afterwards.
 */
export async function addThreeYears(db: Database): Promise<string> {
  await db.tx(async (tx) => {
    for (const statement of statements) await tx.query(statement);
  });
  await derive(db);
  await db.query(
    'vacuum (analyze) catalog.price_history, catalog.availability_history, catalog.product_promotion, catalog.offer_history, catalog.product_current, ops.run',
  );
  const { rows } = await db.query<{ prices: number; states: number; spells: number }>(`
    select (select count(*)::int from catalog.price_history) as prices,
      (select count(*)::int from catalog.availability_history) as states,
      (select count(*)::int from catalog.product_promotion) as spells`);
  const { prices, states, spells } = rows[0]!;
  return `${prices} prices, ${states} states of availability, ${spells} promotion spells`;
}

const begin = `timestamptz '${historyBegins.date} 03:00Z'`;

/** Cuts a product's three years into `parts` spells, each product at moments of its own. */
const spells = (parts: number, from: string) => `
  select product_key, nth,
    ${begin} + case when nth = 0 then interval '0' else (1096.0 / ${parts} * (nth - product_key % 97 / 97.0))::int * interval '1 day' end as starts,
    case when nth = ${parts} - 1 then null else ${begin} + (1096.0 / ${parts} * (nth + 1 - product_key % 97 / 97.0))::int * interval '1 day' end as ends
  from ${from}, generate_series(0, ${parts} - 1) as nth`;

const lastNight = `(select observed_at from ops.run where status = 'published' order by run_id desc limit 1)`;

const statements = [
  `update catalog.product set first_seen_at = ${begin}, valid_from = ${begin}`,
  `insert into ops.run (region, snapshot_date, observed_at, status, phase, max_details, pages_per_batch, origin, started_at, finished_at,
     verdict, products_listed, products_available, requests_spent)
   select region, night::date, night, 'published', 'over', 0, 40, 'command', night, night, 'complete', products_listed, products_available, 0
   from (select * from ops.run where status = 'published' order by run_id limit 1) as r
   cross join generate_series(${begin}, ${lastNight} - interval '1 day', interval '1 day') as night`,
  `create temporary table spell on commit drop as ${spells(17, 'catalog.product')}`,
  `insert into catalog.price_history (product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure)
   select h.product_key, h.price_minor + nth, starts, coalesce(ends, h.valid_from), h.unit_price, h.unit_of_measure
   from spell join catalog.price_history h using (product_key)
   where starts < coalesce(ends, h.valid_from) order by starts, h.product_key`,
  'drop table spell',
  `create temporary table spell on commit drop as ${spells(5, 'catalog.product')}`,
  `insert into catalog.availability_history (product_key, availability, valid_from, valid_to)
   select h.product_key, case when nth % 2 = 0 then 'available' else 'unavailable' end::catalog.availability, starts, coalesce(ends, h.valid_from)
   from spell join catalog.availability_history h using (product_key)
   where starts < coalesce(ends, h.valid_from) order by starts, h.product_key`,
  'drop table spell',
  `create temporary table spell on commit drop as ${spells(10, 'catalog.product')}`,
  `insert into catalog.product_promotion (product_key, promotion_key, valid_from, valid_to)
   select s.product_key, 1 + (s.product_key + nth) % (select max(promotion_key) from catalog.promotion), starts, starts + interval '14 days'
   from spell s
   where coalesce(ends, ${lastNight}) > starts + interval '14 days'
     and 1 + (s.product_key + nth) % (select max(promotion_key) from catalog.promotion) in (select promotion_key from catalog.promotion)
   order by starts, s.product_key`,
];
