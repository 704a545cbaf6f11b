import type { Database } from '../../src/db/client.ts';
import type { SimulatorOptions } from '../../src/simulator/index.ts';
import { withBook } from './book.ts';
import { onlyPricesMove } from './changed-night.ts';
import type { Bench, Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { startUpstream } from './upstream.ts';

const nights = 30;
/** Bytes per product do not depend on how many there are; thirty nights of all of them would only take long. */
const mostItems = 30_000;

/** What thirty nights add to the histories, per product and night. */
export const historyBytes: Figure = {
  name: 'bytes',
  async run(bench) {
    return [
      await thirtyNights(bench, 'prices of 1.5 % move', { ...onlyPricesMove, dailyChange: 0.015 }, 2),
      await thirtyNights(bench, 'prices of 5 % move', { ...onlyPricesMove, dailyChange: 0.05 }, 6),
      await thirtyNights(bench, 'everything moves as the simulator has it', { dailyChange: 0.015 }, null),
    ];
  },
};

async function thirtyNights(
  { items, say }: Bench,
  what: string,
  options: SimulatorOptions,
  limit: number | null,
): Promise<Measured> {
  const upstream = await startUpstream({ items: Math.min(items, mostItems), ...options });
  try {
    return await withBook({ upstream, date: '2026-03-01' }, async ({ base, night }) => {
      const first = await night('2026-03-01');
      const before = await sizeOfHistories(base.db);
      for (let day = 1; day < nights; day++) await night(daysAfter('2026-03-01', day));
      const after = await sizeOfHistories(base.db);
      const products = first.run.productsListed!;
      const perProductNight = (amount: number) => amount / products / (nights - 1);
      const rows = after.rows - before.rows;
      say(`${what}: ${rows} rows, ${after.bytes - before.bytes} bytes (${after.detail})`);
      return {
        what: `history bytes per product-night, ${what}`,
        value: perProductNight(after.bytes - before.bytes),
        unit: 'B',
        target: limit === null ? null : { is: 'at most', aim: limit, floor: limit },
        from:
          `${products} products, ${nights - 1} nights after the first, ` +
          `${perProductNight(rows).toFixed(4)} rows per product-night`,
      };
    });
  } finally {
    await upstream.close();
  }
}

const histories = [
  'price_history',
  'availability_history',
  'offer_history',
  'product_history',
  'product_promotion',
  'product_category',
  'promotion',
];

/** Heap (main fork) and indexes of every table that grows with the nights. */
async function sizeOfHistories(db: Database): Promise<{ bytes: number; rows: number; detail: string }> {
  const sizes = await Promise.all(
    histories.map(async (name) => {
      const table = `catalog.${name}`;
      const { rows } = await db.query<{ bytes: number; rows: number }>(
        `select (pg_relation_size('${table}') + pg_indexes_size('${table}'))::float8 as bytes,
           (select count(*)::int from ${table}) as rows`,
      );
      return { name, ...rows[0]! };
    }),
  );
  return {
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
    rows: sizes.reduce((sum, { rows }) => sum + rows, 0),
    detail: sizes.map(({ name, bytes }) => `${name} ${Math.round(bytes / 1024)} kB`).join(', '),
  };
}
