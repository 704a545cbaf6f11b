import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../src/db/client.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { sqlDerivation } from '../../src/followers/derive/sql-derivation.ts';
import { packChangesOf, type TrueNight, trueNights } from '../docs/true-nights.ts';
import { readText } from '../house/source-files.ts';
import { useDatabase } from '../support/database.ts';
import { readTitles } from '../support/read-titles.ts';
import { makeSpellsWritable } from '../support/writable-spells.ts';
import { precisionBound } from './precision-bound.ts';

type Found = Readonly<Record<'product' | 'route' | 'old' | 'new' | 'evidence', string> & { former: string | null }>;

const catalogue = { items: 4_000, seed: 12, packChanges: 0.015, dailyTurnover: 0.02 };
const database = useDatabase();
let nights: readonly TrueNight[] = [];

beforeAll(async () => {
  nights = trueNights('uk', { ...catalogue, nights: 12, lastNight: '2026-03-12' });
  await fill(database.db, nights);
  await deriveNights(database.db, 'uk', { all: [sqlDerivation('pack-change')] });
});

it('docs/analyse/pack-changes.md says how many changes of each route are true', async () => {
  const named = (one: Omit<Found, 'evidence'>) => [one.product, one.former, one.route, one.old, one.new].join(' ');
  const trueOnes = new Set(
    packChangesOf(nights).map(({ productId: product, formerProductId: former, route, oldAmount, newAmount }) =>
      named({ product, former, route, old: String(oldAmount), new: String(newAmount) }),
    ),
  );
  const found = await rowsOf<Found>(
    database.db,
    `select product_id as product, former_product_id as former, route, old_size::float8::text as old,
       new_size::float8::text as new, evidence
     from marts.fct_pack_change`,
  );
  const kindOf = ({ route, evidence }: Found) =>
    route !== 'relaunch' ? 0 : evidence.split(', ').includes('tpnb') ? 1 : 2;
  const kinds = ['`in_place`, `new_gtin`', '`relaunch`, same base product number', '`relaunch`, by name and price'];
  const rows = kinds.flatMap((name, kind) => {
    const judged = found.filter((one) => kindOf(one) === kind);
    if (judged.length === 0) return [];
    const right = judged.filter((one) => trueOnes.has(named(one))).length;
    const bound = Math.floor(1_000 * precisionBound(right, judged.length)) / 10;
    return `| ${name} | ${judged.length} | ${right} | ${bound.toFixed(1)}% |`;
  });
  expect(readText('docs/analyse/pack-changes.md').match(/^\| `.*$/gm)).toEqual(rows);
});

const at = ({ date }: TrueNight) => `${date}T02:00:00Z`;

/** Writes what twelve crawls would have left: versions of products, availability, prices and categories. */
async function fill(db: Database, all: readonly TrueNight[]): Promise<void> {
  await makeSpellsWritable(db);
  await db.query(
    `insert into ops.run (region, snapshot_date, observed_at, status, phase, max_details, origin, started_at, verdict)
     select 'uk', night::date, night, 'published', 'over', 0, 'crawl', night, 'complete'
     from unnest($1::timestamptz[]) as night`,
    [all.map(at)],
  );
  const ids = [...new Set(all.flatMap(({ products }) => [...products.keys()]))];
  const last = ids.map((id) => all.findLast(({ products }) => products.has(id))!.products.get(id)!);
  const shelves = last.map(({ categoryIds }) => categoryIds.join('/'));
  await db.query(
    `insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
     select distinct 'uk', id, id, 'shelf', 0, id, $2::timestamptz from unnest($1::text[]) as id`,
    [shelves, at(all[0]!)],
  );
  const versions = spellsOf(all, ids, (product) => product && [product.title, product.gtin, product.tpnb]);
  const written = [versions.map(({ id }) => id), ...[0, 1, 2].map((n) => versions.map(({ value }) => value[n]))];
  const spans = (rows: readonly { from: string; to: string | null }[]) => [
    rows.map(({ from }) => from),
    rows.map(({ to }) => to),
  ];
  await db.query(
    `with version as (
       select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[])
         as v (id, title, gtin, tpnb, valid_from, valid_to)
     ), brand as (select * from unnest($7::text[], $8::text[]) as b (id, brand)), added as (
       insert into catalog.product (region, product_id, title, gtin, tpnb, brand, is_for_sale, first_seen_at,
         valid_from, entry_hash)
       select 'uk', id, title, gtin, tpnb, brand, true, (select min(valid_from) from version f where f.id = v.id),
         valid_from, md5(id)::uuid
       from version v join brand using (id) where valid_to is null
       returning product_key, product_id, brand
     )
     insert into catalog.product_history (product_key, title, gtin, tpnb, brand, valid_from, valid_to)
     select product_key, title, gtin, tpnb, added.brand, valid_from, valid_to
     from version join added on product_id = id where valid_to is not null`,
    [...written, ...spans(versions), ids, last.map(({ brand }) => brand)],
  );
  await readTitles(db);
  const listed = spellsOf(all, ids, (product) => [
    product ? (product.available ? 'available' : 'unavailable') : 'absent',
  ]);
  await db.query(
    `insert into catalog.availability_spell (product_key, availability, valid_from, valid_to)
     select product_key, value::catalog.availability, s.valid_from, s.valid_to
     from unnest($1::text[], $2::text[], $3::timestamptz[], $4::timestamptz[]) as s (id, value, valid_from, valid_to)
     join catalog.product on product_id = id`,
    [listed.map(({ id }) => id), listed.map(({ value }) => value[0]), ...spans(listed)],
  );
  const prices = spellsOf(all, ids, (one) => one?.available && [one.priceMinor, one.unitPrice, one.unitOfMeasure]);
  await db.query(
    `insert into catalog.price_spell (product_key, price_minor, unit_price, unit_of_measure, valid_from, valid_to)
     select product_key, price, unit_price, unit, s.valid_from, s.valid_to
     from unnest($1::text[], $2::int[], $3::numeric[], $4::text[], $5::timestamptz[], $6::timestamptz[])
       as s (id, price, unit_price, unit, valid_from, valid_to)
     join catalog.product on product_id = id`,
    [prices.map(({ id }) => id), ...[0, 1, 2].map((n) => prices.map(({ value }) => value[n])), ...spans(prices)],
  );
  await db.query(
    `insert into catalog.extra_listing (product_key, category_key, valid_from)
     select product_key, category_key, first_seen_at
     from unnest($1::text[], $2::text[]) as member (id, shelf)
     join (select product_key, product_id, first_seen_at from catalog.product) as p on product_id = id
     join (select category_key, category_id from catalog.category) as c on category_id = shelf`,
    [ids, shelves],
  );
  await db.query('analyze');
}

type Value = readonly (string | number | null)[];

/** A spell for each change of a value since the product is first listed; without a value the last one stays. */
function spellsOf(
  all: readonly TrueNight[],
  ids: readonly string[],
  read: (product: True) => Value | false | undefined,
) {
  return ids.flatMap((id) => {
    const spells: { id: string; value: Value; from: string; to: string | null }[] = [];
    for (const night of all.slice(all.findIndex(({ products }) => products.has(id)))) {
      const value = read(night.products.get(id));
      const before = spells.at(-1);
      if (!value || (before && String(before.value) === String(value))) continue;
      if (before) before.to = at(night);
      spells.push({ id, value, from: at(night), to: null });
    }
    return spells;
  });
}

type True = TrueNight['products'] extends ReadonlyMap<string, infer Product> ? Product | undefined : never;
