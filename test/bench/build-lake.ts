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
/** Keys of the distinct products of both regions are below it. */
const keysPerCopy = 8 * distinct;
const tables = datasets.filter(({ name }) => !(given.without ?? '').split(',').includes(name));
const work = mkdtempSync(join(tmpdir(), 'pricebook-build-lake-'));

/** A value of a product that holds from one day to another. */
type Spell = Readonly<Record<string, unknown>> & { readonly key: number; readonly began: number };

/** Writes the spells of a region to `work`, one JSON object a line. */
function writeSpells(region: RegionCode, firstKey: number): void {
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

/**
 * Tables of all copies of a region: a copy has other keys, ids and prices, and changes on the same nights. They are
 * sorted once, so that a night is a scan without a sort.
 */
async function loadSpells(duckdb: DuckDBConnection, region: RegionCode): Promise<void> {
  const pence = (column: string) => `(${column} * (100 + copy % 37) // 100 * 0.01)::decimal(12, 2)`;
  const id = `
    key + copy * ${keysPerCopy} as product_key, began, ended, '${regions[region].currency}' as currency,
    case when copy = 0 then product_id else product_id || lpad(copy::varchar, 3, '0') end as product_id`;
  const keep = async (kind: keyof typeof spellColumns, columns: string) => {
    const types = `key integer, product_id varchar, ${spellColumns[kind]}, began integer, ended integer`;
    const named = types.replace(/(\w+) ((?:decimal\([\d, ]+\)|\w+))/g, "$1: '$2'");
    await duckdb.run(`
      create or replace table ${kind} as
      select ${id}, ${columns}
      from read_json('${join(work, `${kind}-${region}.json`)}', format = 'newline_delimited', columns = {${named}}),
        range(${copies}) as copies(copy)
      order by product_id, began`);
  };
  await keep(
    'state',
    `${pence('price')} as price, (unit_price * (100 + copy % 37) / 100)::decimal(38, 15) as unit_price,
     unit_of_measure, ${pence('loyalty')} as loyalty_price, availability, on_promotion`,
  );
  await keep(
    'version',
    `tpnb, gtin, title, brand, image_url, categories, null as first_seen_at, null as description, null as ingredients,
     null as allergens, null as pack_size, null as pack_measure, null as pack_count, null as storage,
     null as product_type, null as status`,
  );
  await keep(
    'promotion',
    `description, offer_type, kind, ${pence('loyalty')} as loyalty_price, starts as starts_at, ends as ends_at,
     ${instantOf('began')} as seen_from`,
  );
  await duckdb.run(`
    create or replace table change as
    select product_id, product_key, currency, began, old_price, price as new_price
    from (
      select *, lag(price) over (partition by product_key order by began) as old_price
      from state
      where availability = 'available'
    )
    where price <> old_price
    order by product_id, began;
    create or replace table spell as
    select * from state
    union all by name
    select product_id, product_key, currency, ended + late as began,
      case late when 0 then 'absent' else 'delisted' end as availability
    from (
      select *, lead(began) over (partition by product_key order by began) as next from state
    ), range(2) as nights(late)
    where ended + late < coalesce(next, ${first + given.nights})
    order by product_id, began`);
}

/** Two in the morning, UTC. */
const instantOf = (day: string) =>
  `(date '1970-01-01' + ${day}::integer)::timestamp at time zone 'UTC' + interval 2 hour`;

/** Rows of a table on a night; `day` is a number. */
const rowsOf: Readonly<Record<DatasetName, (day: number) => string>> = {
  products: (day) => `from version where began <= ${day} and ended > ${day}`,
  prices: (day) => `from state where began <= ${day} and ended > ${day}`,
  promotions: (day) => `from promotion where began <= ${day} and ended > ${day}`,
  product_versions: (day) => `from version where began = ${day}`,
  price_spells: (day) => `from spell where began = ${day}`,
  price_changes: (day) => `
    select *, ${instantOf(String(day))} as changed_at,
      round(100 * (new_price - old_price) / old_price, 2)::decimal(18, 2) as change_pct
    from change where began = ${day}`,
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
    copy (select ${typed} from (${rowsOf[name](day)}))
    to '${file}' (format parquet, compression zstd, row_group_size 32768)`);
  const rows = Number(done.getRows()[0]![0]);
  return { partition, files: [{ path, rows, bytes: statSync(file).size, tags: { certificate: 'simulated' } }] };
}

const startedAt = performance.now();
const say = (text: string) => {
  const { user, system } = process.cpuUsage();
  const [seconds, ofCpu] = [(performance.now() - startedAt) / 1_000, (user + system) / 1_000_000];
  console.log(`${seconds.toFixed(0)} s, ${ofCpu.toFixed(0)} s of CPU: ${text}`);
};
try {
  const duckdb = await (await DuckDBInstance.create(join(work, 'spells.duckdb'))).connect();
  await duckdb.run(`set timezone = 'UTC'`);
  const parts = new Map<DatasetName, Part[]>(tables.map(({ name }) => [name, []]));
  for (const region of regionCodes) {
    writeSpells(region, region === regionCodes[0] ? 1 : keysPerCopy / 2);
    say(`${region}: truth of ${distinct} products on ${given.nights} nights`);
    await loadSpells(duckdb, region);
    say(`${region}: spells of ${copies * distinct} products`);
    for (const dataset of tables) {
      for (let day = first; day < first + given.nights; day++)
        parts.get(dataset.name)!.push(await writeNight(duckdb, dataset, region, day));
      say(`${region}: ${dataset.name}`);
    }
  }
  for (const dataset of tables) {
    const table = createDeltaTable({
      destination: createFolder(given.out),
      dataset,
      clock: systemClock,
      keepMs: 0,
      configuration: {},
      check: () => undefined,
      inWorkFolder: workFolderIn(work, 'build'),
    });
    const written = parts.get(dataset.name)!;
    await table.replace(written, { userMetadata: 'simulated' }, signal);
    const [rows, bytes] = (['rows', 'bytes'] as const).map((what) =>
      written.reduce((sum, { files }) => sum + files[0]![what], 0),
    );
    say(`${dataset.name}: ${rows} rows, ${bytes} bytes`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
