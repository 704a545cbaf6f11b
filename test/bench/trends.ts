import type { Database } from '../../src/db/client.ts';
import type { Figure, Measured } from './figure.ts';
import { lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

/** How long the queries behind the charts of 90 days and three years take. */
export const trends: Figure = {
  name: 'trends',
  async run(bench) {
    return withThreeYears(bench, async ({ db }) => {
      const measured: Measured[] = [];
      for (const [what, query] of Object.entries(queries)) measured.push(await trend(db, what, query));
      return measured;
    });
  },
};

const queries: Readonly<Record<string, string>> = {
  'the region over 90 days': `
    select *
    from marts.fct_region_daily
    where region = 'uk' and snapshot_date > date '${lastNight}' - 90
    order by snapshot_date`,
  'the departments over 90 days': `
    select *
    from marts.fct_category_daily
    where region = 'uk'
      and snapshot_date > date '${lastNight}' - 90
      and category_key in (select category_key from marts.dim_category where region = 'uk' and depth = 0)
    order by category_key, snapshot_date`,
  'the GEKS index of the departments over 90 days': `
    select *
    from marts.price_index
    where region = 'uk'
      and period = 'day'
      and method = 'geks_jevons'
      and price_basis = 'shelf'
      and period_start > date '${lastNight}' - 90
      and category_key in (select category_key from marts.dim_category where region = 'uk' and depth = 0)
    order by category_key, period_start`,
  'the monthly index of the region, three years': `
    select *
    from marts.price_index
    where region = 'uk' and period = 'month' and category_key is null
    order by method, price_basis, period_start`,
};

const times = 5;

async function trend(db: Database, what: string, query: string): Promise<Measured> {
  await db.query(query);
  const took: number[] = [];
  for (let time = 0; time < times; time++) took.push(await secondsOf(db, query));
  const value = took.sort((a, b) => a - b)[times >> 1]! * 1_000;
  return { what, value, unit: 'ms', target: { is: 'at most', aim: 20, floor: 100 }, from: `median of ${times}` };
}

async function secondsOf(db: Database, query: string): Promise<number> {
  const startedAt = performance.now();
  await db.query(query);
  return (performance.now() - startedAt) / 1_000;
}
