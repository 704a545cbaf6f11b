import { type RegionCode, regionCodes } from '../../src/base/model/index.ts';
import type { Database } from '../../src/db/client.ts';
import { dateOf, dayOf } from '../../src/simulator/calendar.ts';
import { createCatalogue } from '../../src/simulator/catalogue.ts';
import { type CatalogueOptions, defaultCatalogue } from '../../src/simulator/settings.ts';
import { type TrueProduct, truth } from '../../src/simulator/truth.ts';
import { derive } from './derive.ts';
import { readTitles } from './read-titles.ts';
import { makeSpellsWritable } from './writable-spells.ts';

export interface TrueNight {
  readonly region: RegionCode;
  readonly date: string;
  readonly products: ReadonlyMap<string, TrueProduct>;
}

/**
 * A book with certified nights of both regions as the simulator has them, written as rows, without a crawl: products,
 * availability, prices, and the top category of each. Returns what is true of every night.
 */
export async function fillFromTruth(
  db: Database,
  { from, nights, step = 1, ...given }: Partial<CatalogueOptions> & { from: string; nights: number; step?: number },
): Promise<TrueNight[]> {
  const options = { ...defaultCatalogue, ...given };
  const told: TrueNight[] = [];
  await makeSpellsWritable(db);
  for (const region of regionCodes) {
    const catalogue = createCatalogue(region, options, { withdrawn: 0 });
    for (let n = 0; n < nights; n += 1) {
      const day = dayOf(from) + n * step;
      const products = new Map([...truth(catalogue, day)].map((product) => [product.productId, product]));
      told.push({ region, date: dateOf(day), products });
    }
    await write(
      db,
      region,
      told.filter((night) => night.region === region),
    );
  }
  await derive(db);
  await db.query('analyze');
  return told;
}

/** Two in the morning, UTC: that date in both regions. */
const at = ({ date }: TrueNight): string => `${date}T02:00:00Z`;

async function write(db: Database, region: RegionCode, nights: readonly TrueNight[]): Promise<void> {
  await db.query(
    `insert into ops.run (region, snapshot_date, observed_at, status, phase, max_details, origin, started_at,
       finished_at, verdict)
     select $1, night::date, night, 'published', 'over', 0, 'crawl', night, night, 'complete'
     from unnest($2::timestamptz[]) as night`,
    [region, nights.map(at)],
  );
  const latest = new Map(nights.flatMap(({ products }) => [...products]));
  await db.query(
    `insert into catalog.product (region, product_id, tpnb, gtin, title, brand, is_for_sale, first_seen_at, valid_from,
       entry_hash)
     select $1, id, tpnb, gtin, title, brand, true, $7, $7, md5(id)::uuid
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) as p (id, tpnb, gtin, title, brand)`,
    [region, ...columns([...latest.values()], ['productId', 'tpnb', 'gtin', 'title', 'brand']), at(nights[0]!)],
  );
  await readTitles(db);
  await writeHistory(db, region, nights, 'availability_spell', 'availability', 'catalog.availability', (product) =>
    product === undefined ? 'absent' : product.available ? 'available' : 'unavailable',
  );
  await writeHistory(db, region, nights, 'price_spell', 'price_minor', 'int', (product, before) =>
    product === undefined ? before : product.priceMinor,
  );
  await db.query(
    `insert into catalog.category (region, category_id, name, label, depth, path, first_seen_at)
     select $1, id, id, 'superDepartment', 0, id, $3 from unnest($2::text[]) as id`,
    [region, [...new Set([...latest.values()].map(departmentOf))], at(nights[0]!)],
  );
  await db.query(
    `insert into catalog.extra_listing (product_key, category_key, valid_from)
     select p.product_key, c.category_key, $4
     from unnest($2::text[], $3::text[]) as member (product_id, category_id)
     join catalog.product p on p.region = $1 and p.product_id = member.product_id
     join catalog.category c on c.region = $1 and c.category_id = member.category_id`,
    [region, [...latest.keys()], [...latest.values()].map(departmentOf), at(nights[0]!)],
  );
}

/** The top-level category of its path. */
export function departmentOf({ categoryIds }: TrueProduct): string {
  return categoryIds[0]!;
}

function columns(rows: readonly TrueProduct[], names: readonly (keyof TrueProduct)[]): unknown[][] {
  return names.map((name) => rows.map((row) => row[name]));
}

/** One row for each change of a product's value; none before it is first seen. */
async function writeHistory<Value>(
  db: Database,
  region: RegionCode,
  nights: readonly TrueNight[],
  table: string,
  column: string,
  type: string,
  read: (product: TrueProduct | undefined, before: Value) => Value,
): Promise<void> {
  const rows: [id: string, value: Value, from: string, to: string | null][] = [];
  const open = new Map<string, (typeof rows)[number]>();
  for (const night of nights) {
    for (const id of new Set([...open.keys(), ...night.products.keys()])) {
      const before = open.get(id);
      const value = read(night.products.get(id), before?.[1] as Value);
      if (before && before[1] === value) continue;
      if (before) before[3] = at(night);
      const row: (typeof rows)[number] = [id, value, at(night), null];
      rows.push(row);
      open.set(id, row);
    }
  }
  await db.query(
    `insert into catalog.${table} (product_key, ${column}, valid_from, valid_to)
     select p.product_key, h.value, h.valid_from, h.valid_to
     from unnest($2::text[], $3::${type}[], $4::timestamptz[], $5::timestamptz[]) as h (product_id, value, valid_from,
       valid_to)
     join catalog.product p on p.region = $1 and p.product_id = h.product_id`,
    [region, ...[0, 1, 2, 3].map((n) => rows.map((row) => row[n]))],
  );
}
