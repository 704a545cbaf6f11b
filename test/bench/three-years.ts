import type { Database } from '../../src/db/client.ts';
import { promotionMeaning } from '../../src/db/tables/promotions.ts';
import { derive } from '../support/derive.ts';

/** The night that is crawled, and the last of the three years. */
export const lastNight = '2026-03-01';

/** The three years before it, and a night in their middle. */
export const historyBegins = { date: '2023-03-01', middle: '2024-09-01' } as const;

/** Days after the beginning from which there is a night a day; before, there is one a week. */
const daily = 1064;

/**
 * Gives a book of one night three years of nights before it: 16 former prices a product (1.5 % a night), 4 former
 * states of availability, 10 former promotion spells. Published nights are weekly, and daily in the last 32. One
 * product in twenty was gone twice. One in ten is sold in Ireland, too, at a price of its own. Says how many rows the
 * histories have afterwards.
 */
export async function addThreeYears(db: Database): Promise<string> {
  await db.tx(async (tx) => {
    for (const statement of statements) await tx.query(statement);
  });
  await derive(db);
  await db.query(
    'vacuum (analyze) catalog.price_history, catalog.availability_history, catalog.product_promotion, ' +
      'catalog.offer_history, catalog.product_current, ops.run',
  );
  const { rows } = await db.query<{ prices: number; states: number; spells: number }>(`
    select (select count(*)::int from catalog.price_spell) as prices,
      (select count(*)::int from catalog.availability_spell) as states,
      (select count(*)::int from catalog.product_promotion) as spells`);
  const { prices, states, spells } = rows[0]!;
  return `${prices} prices, ${states} states of availability, ${spells} promotion spells`;
}

const begin = `timestamptz '${historyBegins.date} 03:00Z'`;

/** Splits a product's three years into `parts` ended spells and an open one, at different moments per product. */
const spells = (parts: number, from: string) => `
  select product_key, nth,
    case when nth = 0 then ${begin} else ${boundary(parts, 'nth')} end as starts,
    case when nth < ${parts} then ${boundary(parts, '(nth + 1)')} end as ends
  from ${from}, generate_series(0, ${parts}) as nth`;

const boundary = (parts: number, nth: string) => {
  const day = `(1096.0 / ${parts} * (${nth} - product_key % 97 / 97.0))::int`;
  return `${begin} + case when ${day} < ${daily} then (${day} + 6) / 7 * 7 else ${day} end * interval '1 day'`;
};

const lastRunAt = `(select observed_at from ops.run where status = 'published' order by run_id desc limit 1)`;

/** The Irish twins: the same categories and articles, a fifth dearer. */
const twins = [
  `insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
   select 'ie', category_id, name, label, depth, path, first_seen_at
   from catalog.category
   where region = 'uk'
   order by category_key`,
  `create temporary table twin_category on commit drop as
   select uk.category_key as uk_key, ie.category_key as ie_key
   from catalog.category uk
   join catalog.category ie on ie.region = 'ie' and ie.category_id = uk.category_id
   where uk.region = 'uk'`,
  `update catalog.category twin set parent_key = above.ie_key
   from twin_category t
   join catalog.category uk on uk.category_key = t.uk_key
   join twin_category above on above.uk_key = uk.parent_key
   where twin.category_key = t.ie_key`,
  `update catalog.category twin set ancestors = array(
     select t.ie_key from unnest(uk.ancestors) with ordinality as above (key, place)
     join twin_category t on t.uk_key = above.key order by place)
   from twin_category t
   join catalog.category uk on uk.category_key = t.uk_key
   where twin.category_key = t.ie_key`,
  `insert into catalog.product (region, product_id, tpnb, gtin, title, brand, image_url, is_for_sale, first_seen_at,
     valid_from, entry_hash)
   select 'ie', product_id, tpnb, gtin, title, brand, image_url, is_for_sale, first_seen_at, valid_from, entry_hash
   from catalog.product where region = 'uk' and product_key % 10 = 0 order by product_key`,
  `create temporary table twin on commit drop as
   select uk.product_key as uk_key, ie.product_key as ie_key
   from catalog.product uk
   join catalog.product ie on ie.region = 'ie' and ie.product_id = uk.product_id
   where uk.region = 'uk'`,
  `insert into catalog.extra_listing (product_key, category_key, valid_from, valid_to)
   select t.ie_key, c.ie_key, pc.valid_from, pc.valid_to
   from catalog.extra_listing pc
   join twin t on t.uk_key = pc.product_key
   join twin_category c on c.uk_key = pc.category_key`,
  `insert into catalog.product_current (product_key, region, price_minor, availability, price_since, availability_since,
     unit_price, unit_of_measure, leaf_key, leaf_since)
   select t.ie_key, 'ie', c.price_minor * 6 / 5, c.availability, c.price_since, c.availability_since,
     round(c.unit_price * 1.2, 2), c.unit_of_measure, leaf.ie_key, c.leaf_since
   from catalog.product_current c join twin t on t.uk_key = c.product_key
   left join twin_category leaf on leaf.uk_key = c.leaf_key`,
  `insert into ops.run (region, snapshot_date, observed_at, status, phase, max_details, origin, started_at, finished_at,
     verdict, products_listed, products_available, requests_spent)
   select 'ie', snapshot_date, observed_at, status, phase, max_details, origin, started_at, finished_at,
     verdict, products_listed / 10, products_available / 10, requests_spent
   from ops.run where region = 'uk' and status = 'published'`,
  `insert into ops.fx_rate (base, quote, on_date, rate, source, loaded_at)
   select 'EUR', 'GBP', day::date, 0.85 + 0.0001 * (row_number() over (order by day) % 97), 'bench', day
   from generate_series(${begin}, ${lastRunAt}, interval '1 day') as day`,
];

const openSince = (column: string, nth: number) => `update catalog.product_current set ${column} = starts from spell
   where spell.product_key = product_current.product_key and nth = ${nth}`;

const statements = [
  `update catalog.product set first_seen_at = ${begin}, valid_from = ${begin}`,
  // The departments have had their products as long as the book has had them.
  `update catalog.product_current set leaf_since = ${begin}`,
  `update catalog.extra_listing set valid_from = ${begin}`,
  ...twins,
  `insert into ops.run (region, snapshot_date, observed_at, status, phase, max_details, origin, started_at, finished_at,
     verdict, products_listed, products_available, requests_spent)
   select region, night::date, night, 'published', 'over', 0, 'command', night, night, 'complete', products_listed,
     products_available, 0
   from (select distinct on (region) * from ops.run where status = 'published' order by region, run_id) as r
   cross join generate_series(${begin}, ${lastRunAt} - interval '1 day', interval '1 day') as night
   where night >= ${begin} + ${daily} * interval '1 day' or extract(day from night - ${begin})::int % 7 = 0`,
  // The night's values stay open; earlier ones are written in the order in which they ended, as nights write them.
  `create temporary table spell on commit drop as ${spells(16, 'catalog.product')}`,
  `insert into catalog.price_history (product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure)
   select product_key, price_minor + raise, starts, ends,
     round(unit_price * (price_minor + raise) / nullif(price_minor, 0), case when unit_price < 0.1 then 4 else 2 end),
     unit_of_measure
   from spell cross join lateral (select nth * 7 % 17) as by (raise) join catalog.product_current using (product_key)
   where nth < 16
   order by ends, product_key`,
  openSince('price_since', 16),
  'drop table spell',
  `create temporary table spell on commit drop as ${spells(4, 'catalog.product')}`,
  `insert into catalog.availability_history (product_key, availability, valid_from, valid_to)
   select product_key,
     case
       when nth % 2 = 0 then 'available'
       when product_key % 20 = 0 then 'absent'
       else 'unavailable'
     end::catalog.availability,
     starts, ends
   from spell
   where nth < 4
   order by ends, product_key`,
  openSince('availability_since', 4),
  'drop table spell',
  // Promotions that are over, which say no dates; those of the night began in the three weeks before it.
  `insert into catalog.promotion (region, promotion_hash, description, offer_type, ${promotionMeaning.join(', ')})
   select region, md5(promotion_hash::text)::uuid, description, offer_type, ${promotionMeaning.join(', ')}
   from catalog.promotion`,
  "update catalog.product_promotion set valid_from = valid_from - product_key % 21 * interval '1 day'",
  `create temporary table spell
     on commit drop as ${spells(10, `(select product_key from catalog.product where region = 'uk') as british`)}`,
  // Three in four have a loyalty price that fits the product's price.
  `create temporary table former on commit drop as
   select promotion_key, loyalty_price_minor is not null as has_price, count(*) over like_it as places,
     row_number() over (like_it order by loyalty_price_minor, promotion_key) - 1 as place
   from catalog.promotion where starts_at is null and ends_at is null
   window like_it as (partition by loyalty_price_minor is not null)`,
  `create temporary table ranked on commit drop as
   select product_key, percent_rank() over (order by price_minor, product_key) as rank from catalog.product_current`,
  `insert into catalog.product_promotion (product_key, promotion_key, valid_from, valid_to)
   select s.product_key, f.promotion_key, starts, starts + interval '14 days'
   from spell s
   join ranked using (product_key)
   cross join (select has_price, places from former group by has_price, places) as wanted
   join former f on f.has_price = wanted.has_price and f.place = case
     when wanted.has_price then least(wanted.places - 1, floor(rank * wanted.places)::int + s.nth)
       else (s.product_key + s.nth) % wanted.places
     end
   where ends > starts + interval '14 days' and wanted.has_price = ((s.product_key + s.nth) % 4 > 0)
   order by starts, s.product_key`,
];
