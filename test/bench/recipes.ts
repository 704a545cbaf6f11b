import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Database } from '../../src/db/client.ts';
import { deriveNights, forgetDerived } from '../../src/derive/derive-nights.ts';
import { type SqlExample, sqlBlocksOf } from '../docs/examples.ts';
import { withBook } from './book.ts';
import type { Figure, Measured } from './figure.ts';
import { addThreeYears, historyBegins } from './three-years.ts';
import { startUpstream } from './upstream.ts';

const lastNight = '2026-03-01';
const times = 3;
const mostExplained = 5;
const explainedIn = fileURLToPath(new URL('recipes-explained.txt', import.meta.url));
/** When `bi_reader` is cut off. */
const cutOffMs = 30_000;

/** How long each recipe of docs/recipes.md takes as `bi_reader` on three years of nights; keeps the plans of the slowest. */
export const recipes: Figure = {
  name: 'recipes',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, evolve: false });
    try {
      return await withBook({ upstream, date: lastNight }, async ({ base: { db }, night }) => {
        await night(lastNight);
        say(`three years: ${await addThreeYears(db)}`);
        // The departments have had their products as long as the book has had them.
        await db.query(`update catalog.product_category set valid_from = timestamptz '${historyBegins.date} 03:00Z'`);
        await db.tx((tx) => forgetDerived(tx, 'uk', historyBegins.date));
        await deriveNights(db, 'uk', { onDerived: (some) => say(`${some.at(-1)?.snapshotDate} derived`) });
        await db.query('vacuum (analyze)');
        const asked = sqlBlocksOf('docs/recipes.md');
        const measured: Measured[] = [];
        for (const recipe of asked) {
          measured.push(await measure(db, recipe));
          say(`${measured.at(-1)!.value.toFixed(0)} ms  ${recipe.name}`);
        }
        const slowest = [...measured.keys()]
          .sort((a, b) => measured[b]!.value - measured[a]!.value)
          .slice(0, mostExplained);
        const plans: string[] = [];
        for (const n of slowest) {
          plans.push(`## ${measured[n]!.value.toFixed(0)} ms: ${asked[n]!.name}\n\n${await explain(db, asked[n]!)}`);
        }
        const head = `The slowest ${mostExplained} recipes: three years of ${items} products, warm, as bi_reader.`;
        writeFileSync(explainedIn, `${[head, ...plans].join('\n\n')}\n`);
        say(`the plans of the slowest ${mostExplained} are in ${explainedIn}`);
        return measured;
      });
    } finally {
      await upstream.close();
    }
  },
};

async function measure(db: Database, { name, statement }: SqlExample): Promise<Measured> {
  const durations: number[] = [];
  let from = '';
  await asReader(db, async (query) => {
    // One more than counts: the first warms the cache.
    for (let time = 0; time <= times; time++) {
      const startedAt = performance.now();
      const rows = await query(statement);
      durations.push(performance.now() - startedAt);
      from = rows === null ? 'cut off' : `median of ${times}, ${rows.length} rows`;
      if (rows === null) break;
    }
  });
  const counted = durations.length > 1 ? durations.slice(1) : durations;
  const value = counted.sort((a, b) => a - b)[counted.length >> 1]!;
  return { what: `recipe: ${name}`, value, unit: 'ms', target: { is: 'at most', aim: 1_000, floor: 1_000 }, from };
}

async function explain(db: Database, { statement }: SqlExample): Promise<string> {
  let plan = '';
  await asReader(db, async (query) => {
    const rows = await query(`explain (analyze, buffers) ${statement}`);
    plan = rows?.map((row) => row['QUERY PLAN']).join('\n') ?? `none: cut off after ${cutOffMs / 1_000} s`;
  });
  return plan;
}

type Query = (statement: string) => Promise<Record<string, unknown>[] | null>;

/** In the role and with its settings, which `set role` does not bring. A statement that is cut off has no rows. */
async function asReader(db: Database, use: (query: Query) => Promise<void>): Promise<void> {
  await db.withClient(async (client) => {
    await client.query(`set work_mem = '64MB'; set jit = off; set statement_timeout = ${cutOffMs}; set role bi_reader`);
    try {
      await use(async (statement) => {
        try {
          return (await client.query<Record<string, unknown>>(statement)).rows;
        } catch (error) {
          if ((error as { code?: string }).code === '57014') return null;
          throw error;
        }
      });
    } finally {
      await client.query('reset role; reset work_mem; reset jit; reset statement_timeout');
    }
  });
}
