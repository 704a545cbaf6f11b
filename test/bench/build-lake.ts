import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { Command } from 'commander';
import { systemClock } from '../../src/base/clock.ts';
import { type RegionCode, regionCodes, regions } from '../../src/base/model/index.ts';
import { type Column, type DatasetName, datasets } from '../../src/followers/export/datasets.ts';
import { createDeltaTable, folderOf, type Part } from '../../src/followers/export/delta-table.ts';
import { createFolder } from '../../src/followers/export/folder.ts';
import { workFolderIn } from '../../src/followers/export/work-folder.ts';
import { dateOf, dayOf } from '../../src/simulator/calendar.ts';
import { createCatalogue } from '../../src/simulator/catalogue.ts';
import { defaultCatalogue } from '../../src/simulator/settings.ts';
import { type TrueProduct, truth } from '../../src/simulator/truth.ts';
import { wholeNumber } from '../support/whole-number.ts';

/**
 * Builds a lake from the simulator's truth, without a crawl: `npx tsx test/bench/build-lake.ts --out FOLDER`. Beyond
 * `--distinct` products, these are repeated with other ids and other prices, because the truth of 300,000 products and
 * a year takes hours.
 */
const given = new Command('build-lake')
  .requiredOption('--out <folder>', 'an empty folder')
  .option('--items <number>', 'products of a region', wholeNumber, 300_000)
  .option('--nights <number>', 'nights of each region', wholeNumber, 365)
  .option('--from <date>', 'first night', '2026-01-01')
  .option('--distinct <number>', 'products of which the truth is computed', wholeNumber, 5_000)
  .option('--without <tables>', 'tables to leave out, such as products')
  .parse()
  .opts<{ out: string; items: number; nights: number; from: string; distinct: number; without?: string }>();

const { signal } = new AbortController();
const distinct = Math.min(given.items, given.distinct);
const copies = Math.floor(given.items / distinct);
const first = dayOf(given.from);
const tables = datasets.filter(({ name }) => !(given.without ?? '').split(',').includes(name));
const work = mkdtempSync(join(tmpdir(), 'pricebook-build-lake-'));

/** A value of a product that holds from one day to another. */
type Spell = Readonly<Record<string, unknown>> & { readonly key: number; readonly began: number };

/** Writes the spells of a region to `work`, one JSON object a line. */
function writeSpells(region: RegionCode, firstKey: number): number {
  const catalogue = createCatalogue(region, { ...defaultCatalogue, items: distinct }, { withdrawn: 0 });
  const keys = new Map<string, number>();
  const kinds = {
    state: spellWriter(join(work, `state-${region}.json`)),
    version: spellWriter(join(work, `version-${region}.json`)),
    promotion: spellWriter(join(work, `promotion-${region}.json`)),
  };
  for (let day = first; day < first + given.nights; day++) {
    for (const kind of Object.values(kinds)) kind.begin(day);
    const slots = catalogue.present(day);
    let place = 0;
    for (const product of truth(catalogue, day)) {
      const leaves = catalogue.leavesOf(slots[place++]!, day);
      const key = keys.get(product.productId) ?? firstKey + keys.size;
      keys.set(product.productId, key);
      const id = { key, product_id: product.productId };
      kinds.state.see(String(key), { ...id, ...stateOf(product) });
      kinds.version.see(String(key), {
        ...id,
        tpnb: product.tpnb,
        gtin: product.gtin,
        title: product.title,
        brand: product.brand,
        image_url: product.imageUrl,
        categories: leaves.map(({ path }) => path.map(({ name }) => name.trim()).join(' > ')).join(' | '),
      });
      for (const promotion of product.promotions.filter(({ inEffect }) => inEffect)) {
        const { description, offerType, kind, loyaltyPriceMinor, startsAt, endsAt } = promotion;
        const dates = { starts: startsAt, ends: endsAt };
        const terms = { description, offer_type: offerType, kind, loyalty: loyaltyPriceMinor, ...dates };
        kinds.promotion.see(`${key} ${JSON.stringify(terms)}`, { ...id, ...terms });
      }
    }
    for (const kind of Object.values(kinds)) kind.end(day);
  }
  for (const kind of Object.values(kinds)) kind.close();
  return firstKey + keys.size;
}

const stateOf = (product: TrueProduct) => ({
  price: product.priceMinor,
  unit_price: product.unitPrice,
  unit_of_measure: product.unitOfMeasure,
  loyalty: product.loyaltyPriceMinor,
  availability: product.available ? 'available' : 'unavailable',
  on_promotion: product.onPromotion,
});

/** Turns what is seen of each day into spells. */
function spellWriter(path: string) {
  const file = openSync(path, 'w');
  const open = new Map<string, { readonly spell: Spell; readonly text: string }>();
  let today = 0;
  let seen = new Set<string>();
  let lines: string[] = [];
  const finish = (name: string, day: number): void => {
    lines.push(`${JSON.stringify({ ...open.get(name)!.spell, ended: day })}\n`);
    open.delete(name);
  };
  return {
    begin(day: number): void {
      today = day;
      seen = new Set();
    },
    see(name: string, value: Omit<Spell, 'began'> & { readonly key: number }): void {
      seen.add(name);
      const text = JSON.stringify(value);
      const before = open.get(name);
      if (before?.text === text) return;
      if (before) finish(name, today);
      open.set(name, { spell: { ...value, began: today }, text });
    },
    end(day: number): void {
      for (const name of [...open.keys()]) if (!seen.has(name)) finish(name, day);
      writeSync(file, lines.join(''));
      lines = [];
    },
    close(): void {
      for (const name of [...open.keys()]) finish(name, first + given.nights);
      writeSync(file, lines.join(''));
      closeSync(file);
    },
  };
}

const spellColumns: Readonly<Record<string, string>> = {
  state: `price integer, unit_price decimal(38, 15), unit_of_measure varchar, loyalty integer, availability varchar,
    on_promotion boolean`,
  version: 'tpnb varchar, gtin varchar, title varchar, brand varchar, image_url varchar, categories varchar',
  promotion: `description varchar, offer_type varchar, kind varchar, loyalty integer, starts timestamptz,
    ends timestamptz`,
};

/** Keys of all copies: a copy has other keys, ids and prices, and changes on the same nights. */
async function loadSpells(duckdb: DuckDBConnection, lastKey: number): Promise<void> {
  for (const [kind, columns] of Object.entries(spellColumns)) {
    const types = `key integer, product_id varchar, ${columns}, began integer, ended integer`;
    const named = types.replace(/(\w+) ((?:decimal\([\d, ]+\)|\w+))/g, "$1: '$2'");
    for (const region of regionCodes) {
      const read = `select '${region}' as region, * from read_json('${join(work, `${kind}-${region}.json`)}',
        format = 'newline_delimited', columns = {${named}})`;
      await duckdb.run(
        region === regionCodes[0] ? `create table spell_${kind} as ${read}` : `insert into spell_${kind} ${read}`,
      );
    }
  }
  const pence = (column: string) => `(${column} * (100 + copy % 37) // 100 * 0.01)::decimal(12, 2)`;
  const id = `region, s.key + copy * ${lastKey} as product_key, began, ended,
    case when copy = 0 then product_id else product_id || lpad(copy::varchar, 3, '0') end as product_id,
    case region when 'uk' then '${regions.uk.currency}' else '${regions.ie.currency}' end as currency`;
  await duckdb.run(`
    create table copies as select range::integer as copy from range(${copies});
    create view state as select ${id}, ${pence('price')} as price,
      (unit_price * (100 + copy % 37) / 100)::decimal(38, 15) as unit_price, unit_of_measure,
      ${pence('loyalty')} as loyalty_price, availability, on_promotion
      from spell_state as s, copies;
    create view change as select ${id}, ${pence('old')} as old_price, ${pence('price')} as new_price
      from (
        select *, lag(price) over before as old from spell_state where availability = 'available'
        window before as (partition by region, key order by began)
        qualify lag(ended) over before = began
      ) as s, copies;
    create view version as select ${id}, tpnb, gtin, title, brand, image_url, categories,
      null as first_seen_at, null as description, null as ingredients, null as allergens, null as pack_size,
      null as pack_measure, null as pack_count, null as storage, null as product_type, null as status
      from spell_version as s, copies;
    create view promotion as select ${id}, description, offer_type, kind, ${pence('loyalty')} as loyalty_price,
      starts as starts_at, ends as ends_at, ${instantOf('began')} as seen_from
      from spell_promotion as s, copies;`);
}

/** Two in the morning, UTC. */
const instantOf = (day: string) =>
  `(date '1970-01-01' + ${day}::integer)::timestamp at time zone 'UTC' + interval 2 hour`;

/** Rows of a table on a night; `day` is a number. */
const rowsOf: Readonly<Record<DatasetName, (region: RegionCode, day: number) => string>> = {
  products: (region, day) => `from version where region = '${region}' and began <= ${day} and ended > ${day}`,
  prices: (region, day) => `from state where region = '${region}' and began <= ${day} and ended > ${day}`,
  promotions: (region, day) => `from promotion where region = '${region}' and began <= ${day} and ended > ${day}`,
  product_versions: (region, day) => `from version where region = '${region}' and began = ${day}`,
  price_spells: (region, day) => `
    from state where region = '${region}' and began = ${day}
    union all by name
    select distinct region, product_key, product_id, currency, 'absent' as availability
    from state gone where region = '${region}' and ended = ${day} and product_key not in (
      select product_key from state where region = '${region}' and began = ${day})`,
  price_changes: (region, day) => `
    select *, ${instantOf(String(day))} as changed_at,
      round(100 * (new_price - old_price) / old_price, 2)::decimal(18, 2) as change_pct
    from change where region = '${region}' and began = ${day} and new_price <> old_price`,
};

async function writeNight(
  duckdb: DuckDBConnection,
  { name, columns }: { readonly name: DatasetName; readonly columns: readonly Column[] },
  region: RegionCode,
  day: number,
): Promise<Part> {
  const partition = { region, snapshot_date: dateOf(day) };
  const path = `${folderOf(partition)}/${name}-built.parquet`;
  const file = join(given.out, name, path);
  mkdirSync(join(given.out, name, folderOf(partition)), { recursive: true });
  const typed = columns.map((column) => `${column.name}::${column.type} as ${column.name}`).join(', ');
  const done = await duckdb.runAndReadAll(`
    copy (select ${typed} from (${rowsOf[name](region, day)}) order by product_id)
    to '${file}' (format parquet, compression zstd, row_group_size 32768)`);
  const rows = Number(done.getRows()[0]![0]);
  return { partition, files: [{ path, rows, bytes: statSync(file).size, tags: { certificate: 'simulated' } }] };
}

const startedAt = performance.now();
const say = (text: string) => console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0)} s: ${text}`);
try {
  let lastKey = 1;
  for (const region of regionCodes) {
    lastKey = writeSpells(region, lastKey);
    say(`${region}: truth of ${distinct} products on ${given.nights} nights`);
  }
  const duckdb = await (await DuckDBInstance.create(':memory:')).connect();
  await duckdb.run(`set timezone = 'UTC'`);
  await loadSpells(duckdb, lastKey);
  for (const dataset of tables) {
    const parts: Part[] = [];
    for (const region of regionCodes) {
      for (let day = first; day < first + given.nights; day++)
        parts.push(await writeNight(duckdb, dataset, region, day));
    }
    const table = createDeltaTable({
      destination: createFolder(given.out),
      dataset,
      clock: systemClock,
      keepMs: 0,
      configuration: {},
      check: () => undefined,
      inWorkFolder: workFolderIn(work, 'build'),
    });
    await table.replace(parts, { userMetadata: 'simulated' }, signal);
    const [rows, bytes] = (['rows', 'bytes'] as const).map((what) =>
      parts.reduce((sum, { files }) => sum + files[0]![what], 0),
    );
    say(`${dataset.name}: ${rows} rows, ${bytes} bytes`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
