import type { Database } from '../../src/db/client.ts';
import { readingSettings } from '../../src/db/reader-role.ts';
import type { Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { historyBegins, lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

const times = 5;

/** Measures a whole night, one product and the README's queries as `bi_reader`, in a database of three years. */
export const asOf: Figure = {
  name: 'as-of',
  async run(bench) {
    return withThreeYears(bench, async ({ db }) => {
      const measured: Measured[] = [];
      for (const [what, date, aim, floor] of [
        ['the last night, three years of history', lastNight, 300, 500],
        // The README's first example: few changes came later, but all versions are skipped.
        ['three nights before it', daysAfter(lastNight, -3), 500, 1_000],
        ['a night in the middle of them', historyBegins.middle, 500, 1_000],
      ] as const) {
        const whole = await measure(db, `as_of of ${what}`, nightOf('as_of', date), { is: 'at most', aim, floor });
        const daily = await measure(db, `fct_price_daily of ${what}`, nightOf('fct_price_daily', date), null);
        measured.push(whole, daily, {
          what: `fct_price_daily / as_of, ${what}`,
          value: daily.value / whole.value,
          unit: '',
          target: { is: 'at most', aim: 1.2, floor: 1.2 },
          from: 'the two figures above',
        });
      }
      const one = `select * from marts.as_of('uk', '${historyBegins.middle}') where product_key = 777`;
      measured.push(await measure(db, 'as_of of one product', one, { is: 'at most', aim: 5, floor: 20 }));
      for (const [what, query] of Object.entries(queries)) {
        measured.push(await measure(db, what, query, { is: 'at most', aim: 300, floor: 1_000 }));
      }
      return measured;
    });
  },
};

/** Reads every row with all its columns, so that each row is really computed. */
const nightOf = (mart: 'as_of' | 'fct_price_daily', date: string): string =>
  mart === 'as_of'
    ? `select count(night) from marts.as_of('uk', '${date}') as night`
    : `select count(night) from marts.fct_price_daily as night where region = 'uk' and snapshot_date = '${date}'`;

/** Those of the README that are not a night, and one that judges all products by their categories. */
const queries: Readonly<Record<string, string>> = {
  'what became dearer in a week': `
    select c.changed_at, p.title, c.old_price, c.new_price, c.currency, c.change_pct
    from marts.fct_price_change c join marts.dim_product p using (region, product_id)
    where c.region = 'uk' and c.snapshot_date >= '2026-02-22' and c.change_pct > 5 order by c.change_pct desc`,
  'one product, every night of three years': `
    select snapshot_date, price, loyalty_price, on_promotion from marts.fct_price_daily
    where region = 'uk' and product_key = 777 order by snapshot_date`,
  'products of each department': `
    select c.path, count(*) as products
    from marts.bridge_product_category b
    join marts.dim_category c using (category_key)
    where b.region = 'uk' and b.depth = 1 and b.valid_to is null group by c.path order by products desc`,
  'products in more than one category (having)': `
    select region, product_id, count(*) from marts.bridge_product_category
    where valid_to is null and is_direct group by region, product_id having count(*) > 1`,
  'how far each night can be trusted': `
    select snapshot_date, region, certificate, products_listed, requests_spent
    from marts.snapshot
    order by snapshot_date desc, region`,
};

async function measure(db: Database, what: string, query: string, target: Measured['target']): Promise<Measured> {
  const durations: number[] = [];
  await db.withClient(async (client) => {
    for (const [name, value] of Object.entries(readingSettings)) await client.query(`set ${name} = '${value}'`);
    await client.query('set role bi_reader');
    // One more than counts: the first warms the cache.
    for (let time = 0; time <= times; time++) {
      const startedAt = performance.now();
      await client.query(query);
      durations.push(performance.now() - startedAt);
    }
    await client.query('reset role; reset all');
  });
  const sorted = durations.slice(1).sort((a, b) => a - b);
  return {
    what,
    value: sorted[times >> 1]!,
    unit: 'ms',
    target,
    from: `median of ${times}, from ${sorted[0]!.toFixed(0)} to ${sorted.at(-1)!.toFixed(0)} ms`,
  };
}
