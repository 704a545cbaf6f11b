import type { Database } from '../../src/db/client.ts';
import { withBook } from './book.ts';
import type { Figure, Measured } from './figure.ts';
import { addThreeYears, historyBegins } from './three-years.ts';
import { startUpstream } from './upstream.ts';

const times = 5;

/** How long `marts.as_of` takes for a whole night, of a young book and of one with three years of history. */
export const asOf: Figure = {
  name: 'as-of',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, evolve: false });
    try {
      return await withBook({ upstream, date: '2026-03-01' }, async ({ base: { db }, night }) => {
        await night('2026-03-01');
        const young = await measure(db, '2026-03-01', 'as_of of a whole night, one night of history', null);
        const rows = await addThreeYears(db);
        say(`three years: ${rows}`);
        const target = { is: 'at most', aim: 250, floor: 500 } as const;
        return [
          young,
          await measure(db, '2026-03-01', 'as_of of the last night, three years of history', target),
          await measure(db, historyBegins.middle, 'as_of of a night in the middle of them', target),
        ];
      });
    } finally {
      await upstream.close();
    }
  },
};

/** The function computes every row with all its columns before the first is counted. */
async function measure(db: Database, date: string, what: string, target: Measured['target']): Promise<Measured> {
  const durations: number[] = [];
  let products = 0;
  // One more than counts: the first warms the cache.
  for (let time = 0; time <= times; time++) {
    const startedAt = performance.now();
    const { rows } = await db.query<{ products: number }>(
      `select count(*)::int as products from marts.as_of('uk', $1::date)`,
      [date],
    );
    durations.push(performance.now() - startedAt);
    products = rows[0]!.products;
  }
  const sorted = durations.slice(1).sort((a, b) => a - b);
  return {
    what,
    value: sorted[times >> 1]!,
    unit: 'ms',
    target,
    from: `${products} products; median of ${times}, from ${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)} ms`,
  };
}
