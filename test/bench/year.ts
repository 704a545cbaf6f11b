import { composePruning } from '../../src/app/compose.ts';
import type { Database } from '../../src/db/client.ts';
import type { SimulatorOptions } from '../../src/simulator/index.ts';
import { withBook } from './book.ts';
import { onlyPricesMove } from './changed-night.ts';
import type { Bench, Figure, Measured } from './figure.ts';
import { createNightClock, daysAfter } from './night-clock.ts';
import { startUpstream } from './upstream.ts';

const nights = 365;
/** A whole year of them is played, which for all products would take hours. */
const mostItems = 12_000;
/** Distributes the fixed cost of a night over the products of a real region. */
const wholeRegion = { products: 300_000, categories: 454 } as const;
/** Tables that grow with nights and processes, not with products. */
const perNight = ['ops.run', 'ops.certificate', 'ops.finding', 'ops.spend', 'ops.worker', 'derived.night'];
/** Tables that grow with nights and categories. */
const perCategory = ['ops.category_crawl', 'catalog.category', 'derived.daily_figure', 'derived.price_index'];

/** What PostgreSQL keeps after a year of nights, pruned every day as `pricebook schedule` does. */
export const year: Figure = {
  name: 'year',
  async run(bench) {
    return playYear(bench, 'prices of 1.5 % move', { ...onlyPricesMove, dailyChange: 0.015 });
  },
};

async function playYear({ items, say }: Bench, what: string, options: SimulatorOptions): Promise<Measured[]> {
  const first = '2026-01-01';
  const upstream = await startUpstream({ items: Math.min(items, mostItems), ...options });
  try {
    return await withBook({ upstream, date: first }, async ({ base, night }) => {
      const clock = createNightClock(first);
      const prune = composePruning({ config: base.config, clock, db: base.db });
      let productNights = 0;
      for (let day = 0; day < nights; day++) {
        const date = daysAfter(first, day);
        const { run } = await night(date);
        productNights += run.productsListed!;
        clock.setTo(date);
        await prune(base.config.archiveDays);
        if (day % 30 === 29) say(`${what}: ${day + 1} nights, ${await tell(base.db)}`);
      }
      await base.db.query('vacuum (analyze)');
      const kept = await sizeOfTables(base.db);
      const [archived] = (
        await base.db.query<{ bytes: number }>('select sum(stored_bytes)::float8 as bytes from ops.payload_body')
      ).rows;
      say(`${what}: ${await tell(base.db)}`);
      const bytes = kept.reduce((sum, table) => sum + table.bytes, 0);
      const bytesOf = (names: readonly string[]) =>
        kept.reduce((sum, table) => sum + (names.includes(table.name) ? table.bytes : 0), 0);
      const [counted] = (
        await base.db.query<{ categories: number }>('select count(*)::int as categories from catalog.category')
      ).rows;
      const { categories } = counted!;
      const ofNights = bytesOf(perNight);
      const ofCategories = bytesOf(perCategory);
      const products = productNights / nights;
      const aNight = (ofNights + (ofCategories * wholeRegion.categories) / categories) / nights;
      const ofWholeRegion = (bytes - ofNights - ofCategories) / productNights + aNight / wholeRegion.products;
      const played = `${nights} nights of ${Math.round(products)} products, ARCHIVE_DAYS ${base.config.archiveDays}`;
      return [
        {
          what: `all that PostgreSQL keeps per product-night, a year on, ${what}`,
          value: ofWholeRegion,
          unit: 'B',
          target: { is: 'at most', aim: 8, floor: 12 },
          from:
            `${played}; all schemas, indexes and toast, after vacuum. What a night costs whatever it lists is ` +
            `extrapolated from ${categories} categories to ${wholeRegion.categories} (${Math.round(aNight)} B a ` +
            `night) and ${wholeRegion.products} products`,
        },
        {
          what: 'the same as played, nothing extrapolated',
          value: bytes / productNights,
          unit: 'B',
          target: null,
          from: `${Math.round(bytes / 1024)} kB after ${nights} nights`,
        },
        {
          what: `archive per product-night, ${what}`,
          value: archived!.bytes / productNights,
          unit: 'B',
          target: null,
          from: 'files of the payloads of the last ARCHIVE_DAYS, over the same nights',
        },
      ];
    });
  } finally {
    await upstream.close();
  }
}

interface TableSize {
  readonly name: string;
  readonly bytes: number;
}

/** Heap, indexes and toast of every table that is not PostgreSQL's own, largest first. */
async function sizeOfTables(db: Database): Promise<TableSize[]> {
  const { rows } = await db.query<TableSize & Record<string, unknown>>(
    `select n.nspname || '.' || c.relname as name, pg_total_relation_size(c.oid)::float8 as bytes
     from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'm')
       and n.nspname not in ('pg_catalog', 'information_schema')
       and n.nspname not like 'pg_temp%'
     order by bytes desc`,
  );
  return rows;
}

async function tell(db: Database): Promise<string> {
  const tables = await sizeOfTables(db);
  const kB = (bytes: number) => `${Math.round(bytes / 1024)} kB`;
  const total = tables.reduce((sum, { bytes }) => sum + bytes, 0);
  return `${kB(total)}: ${tables
    .slice(0, 14)
    .map(({ name, bytes }) => `${name} ${kB(bytes)}`)
    .join(', ')}`;
}
