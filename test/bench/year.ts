import { composeFolding, composePruning } from '../../src/compose.ts';
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
/** Products of a region as it is: over so many is spread what a night costs whatever it lists. */
const wholeRegion = 300_000;
/** Tables that grow with nights, categories and processes, not with products. */
const perNight = [
  'ops.run',
  'ops.certificate',
  'ops.finding',
  'ops.category_crawl',
  'ops.spend',
  'ops.worker',
  'catalog.category',
];

/** What PostgreSQL keeps after a year of nights, folded and pruned every day as `pricebook schedule` does. */
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
      const fold = composeFolding({ clock, db: base.db });
      const prune = composePruning({ config: base.config, clock, db: base.db });
      let productNights = 0;
      for (let day = 0; day < nights; day++) {
        const date = daysAfter(first, day);
        const { run } = await night(date);
        productNights += run.productsListed!;
        clock.setTo(date);
        await fold(base.config.ledgerDays);
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
      const constant = kept.reduce((sum, table) => sum + (perNight.includes(table.name) ? table.bytes : 0), 0);
      const products = productNights / nights;
      const ofWholeRegion = (bytes - constant) / productNights + constant / nights / wholeRegion;
      const played = `${nights} nights of ${Math.round(products)} products, LEDGER_DAYS ${base.config.ledgerDays}, ARCHIVE_DAYS ${base.config.archiveDays}`;
      return [
        {
          what: `all that PostgreSQL keeps per product-night, a year on, ${what}`,
          value: ofWholeRegion,
          unit: 'B',
          target: { is: 'at most', aim: 8, floor: 12 },
          from: `${played}; all schemas, indexes and toast, after vacuum. What a night costs whatever it lists (${Math.round(constant / nights)} B, measured) is extrapolated to ${wholeRegion} products`,
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
     where c.relkind in ('r', 'm') and n.nspname not in ('pg_catalog', 'information_schema') and n.nspname not like 'pg_temp%'
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
