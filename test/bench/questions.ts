import { createAsker } from '../../src/app/ask-saved-question.ts';
import { readingSettings } from '../../src/db/reader-role.ts';
import { rowsOf } from '../../src/db/rows.ts';
import { questions as all } from '../../src/questions/index.ts';
import type { Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { historyBegins, lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

const times = 5;

/** Whole nights, one product and every question with its usual options as `bi_reader`, in a book of three years. */
export const questions: Figure = {
  name: 'questions',
  run: (bench) =>
    withThreeYears(bench, ({ db }) =>
      db.withClient(async (client) => {
        const one = async (statement: string) => (await rowsOf<{ id: string }>(db, statement))[0]!.id;
        const categories = "select category_id as id from marts.dim_category where region = 'uk' order by";
        const product = await one('select product_id as id from marts.product_now where product_key = 60777');
        const other = await one('select product_id as id from marts.product_now where product_key = 777');
        const usual = {
          category: [
            await one(`${categories} depth, path limit 1`),
            await one(`${categories} depth desc, path limit 1`),
          ],
          ...{
            product: [product],
            region: ['ie'],
            words: ['milk'],
            period: ['month'],
            keyword: ['milk'],
            label: ['own'],
          },
          ...{ date: [historyBegins.middle], until: [historyBegins.middle] },
          since: [historyBegins.date, daysAfter(lastNight, -91)],
        };
        const needed = { region: 'uk', product, products: `${product},${other}`, items: `${product}:2,${other}` };
        for (const [name, value] of Object.entries(readingSettings)) await client.query(`set ${name} = '${value}'`);
        await client.query('set role bi_reader');
        const measured: Measured[] = [];
        // Every row with all its columns, so that each row is really computed.
        for (const [what, date, aim, floor] of [
          ['the last night', lastNight, 300, 500],
          ['three nights before it', daysAfter(lastNight, -3), 500, 1_000],
          ['a night in the middle of three years', historyBegins.middle, 500, 1_000],
          ['one product on that night', historyBegins.middle, 5, 20],
        ] as const) {
          const only = what.startsWith('one') ? 'product_key = 777' : 'true';
          const count = `select count(night) from marts.as_of('uk', '${date}') night where ${only}`;
          const { value, from } = await median(() => client.query(count));
          measured.push({ what: `as_of of ${what}`, value, unit: 'ms', target: { is: 'at most', aim, floor }, from });
        }
        const ask = createAsker({ query: (text, values) => client.query(text, values as unknown[]) });
        for (const { name, parameters, isWhole } of all) {
          const missing = parameters.safeParse({}).error?.issues.map(({ path }) => path[0]) ?? [];
          const base = Object.fromEntries(Object.entries(needed).filter(([each]) => missing.includes(each)));
          const ways = Object.entries(usual).flatMap(([option, values]) =>
            option in parameters.shape && !(option in base) && !(option === 'region' && missing.length > 0)
              ? values.map((value) => ({ ...base, [option]: value }))
              : [],
          );
          const took: { readonly value: number; readonly way: string }[] = [];
          for (const way of [base, ...ways].map((each) => JSON.stringify(each))) {
            const { value } = await median(() => ask(name, JSON.parse(way), isWhole ? 10_000 : 50));
            bench.say(`${value.toFixed(0).padStart(6)} ms  ${name} ${way}`);
            took.push({ value, way });
          }
          const { value, way } = took.sort((a, b) => b.value - a.value)[0]!;
          const target = { is: 'at most', aim: 300, floor: 1_000 } as const;
          measured.push({ what: name, value, unit: 'ms', target, from: `slowest of ${took.length} ways: ${way}` });
        }
        await client.query('reset role; reset all');
        return measured;
      }),
    ),
};

async function median(work: () => Promise<unknown>): Promise<Pick<Measured, 'value' | 'from'>> {
  const durations: number[] = [];
  // One more than counts: the first warms the cache.
  for (let time = 0; time <= times; time++) {
    const startedAt = performance.now();
    await work();
    durations.push(performance.now() - startedAt);
  }
  const sorted = durations.slice(1).sort((a, b) => a - b);
  const from = `median of ${times}, from ${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)} ms`;
  return { value: sorted[times >> 1]!, from };
}
