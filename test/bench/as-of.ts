import type { Database } from '../../src/db/client.ts';
import { readingSettings } from '../../src/db/reader-role.ts';
import type { Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { historyBegins, lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

const times = 5;

/** Whole nights and one product as `bi_reader`, in a database of three years. */
export const asOf: Figure = {
  name: 'as-of',
  run: (bench) =>
    withThreeYears(bench, async ({ db }) => {
      const measured: Measured[] = [];
      // Every row with all its columns, so that each row is really computed.
      for (const [what, date, aim, floor] of [
        ['the last night', lastNight, 300, 500],
        ['three nights before it', daysAfter(lastNight, -3), 500, 1_000],
        ['a night in the middle of three years', historyBegins.middle, 500, 1_000],
      ] as const)
        measured.push(await measure(db, what, `count(night) from marts.as_of('uk', '${date}') as night`, aim, floor));
      const one = `* from marts.as_of('uk', '${historyBegins.middle}') where product_key = 777`;
      measured.push(await measure(db, 'one product', one, 5, 20));
      return measured;
    }),
};

async function measure(db: Database, what: string, query: string, aim: number, floor: number): Promise<Measured> {
  const durations: number[] = [];
  await db.withClient(async (client) => {
    for (const [name, value] of Object.entries(readingSettings)) await client.query(`set ${name} = '${value}'`);
    await client.query('set role bi_reader');
    // One more than counts: the first warms the cache.
    for (let time = 0; time <= times; time++) {
      const startedAt = performance.now();
      await client.query(`select ${query}`);
      durations.push(performance.now() - startedAt);
    }
    await client.query('reset role; reset all');
  });
  const sorted = durations.slice(1).sort((a, b) => a - b);
  return {
    what: `as_of of ${what}`,
    value: sorted[times >> 1]!,
    unit: 'ms',
    target: { is: 'at most', aim, floor },
    from: `median of ${times}, from ${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)} ms`,
  };
}
