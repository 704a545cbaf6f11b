import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Database } from '../../src/db/client.ts';
import { readingSettings } from '../../src/db/reader-role.ts';
import { questions } from '../../src/questions/index.ts';
import { type Ask, statementOf } from '../../src/questions/question.ts';
import { type SqlExample, sqlBlocksOf } from '../docs/examples.ts';
import type { Figure, Measured } from './figure.ts';
import { withThreeYears } from './three-years-book.ts';

const times = 3;
const mostExplained = 5;
const explainedIn = join(tmpdir(), 'recipes-explained.txt');
/** When `bi_reader` is cut off. */
const cutOffMs = 30_000;

/**
 * How long each recipe of docs/analyse/recipes.md and the first page of each question takes as `bi_reader` on three
 * years of nights; keeps the plans of the slowest.
 */
export const recipes: Figure = {
  name: 'recipes',
  async run(bench) {
    const { items, say } = bench;
    return withThreeYears(bench, async ({ db }) => {
      const asked = [...sqlBlocksOf('docs/analyse/recipes.md'), ...(await questionStatements(db))];
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
  },
};

/** The statement behind the first 50 rows of each question, with defaults where it has them. */
async function questionStatements(db: Database): Promise<SqlExample[]> {
  const ask: Ask = (statement) => db.query(statement.text, statement.asked);
  const { rows } = await db.query<{ id: string; department: string }>(
    `select p.product_id as id, trim(c.name) as department
     from marts.product_now p
     join marts.product_category_now m on m.product_key = p.product_key and m.depth = 0
     join marts.dim_category c on c.category_key = m.category_key
     where p.region = 'uk' and p.availability = 'available'
     order by p.product_key limit 20`,
  );
  const items = rows.map(({ id }) => `${id}:2`).join();
  const needed: Readonly<Record<string, object>> = {
    asof: { region: 'uk' },
    basket: { items },
    'basket-swaps': { items },
    'unit-price-rank': { product: rows[0]!.id },
    'weighted-index': { weights: `${rows[0]!.department}=1` },
  };
  const statements: SqlExample[] = [];
  for (const { name, load } of questions) {
    const question = await load();
    const parameters = question.parameters.parse({ ...needed[name] });
    const { sql } = await statementOf(question, parameters, { limit: 50 }, ask);
    statements.push({ name: `pricebook ${name}`, statement: sql.copy });
  }
  return statements;
}

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
  return {
    what: name.startsWith('pricebook ') ? name : `recipe: ${name}`,
    value,
    unit: 'ms',
    target: { is: 'at most', aim: 1_000, floor: 1_000 },
    from,
  };
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
    for (const [name, value] of Object.entries({ ...readingSettings, statement_timeout: String(cutOffMs) })) {
      await client.query(`set ${name} = '${value}'`);
    }
    await client.query('set role bi_reader');
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
      await client.query('reset role; reset all');
    }
  });
}
