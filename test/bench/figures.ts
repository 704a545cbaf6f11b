import type { Database } from '../../src/db/client.ts';
import { deriveNights, forgetDerived } from '../../src/derive/derive-nights.ts';
import { derivations } from '../../src/derive/index.ts';
import { withBook } from './book.ts';
import type { Figure, Measured } from './figure.ts';
import { addThreeYears } from './three-years.ts';
import { startUpstream } from './upstream.ts';

const lastNight = '2026-03-01';

/** How long it takes to derive what follows from three years of nights, and from one more; what that keeps; and what it makes quick. */
export const figures: Figure = {
  name: 'figures',
  async run({ items, say }) {
    const upstream = await startUpstream({ items, evolve: false });
    try {
      return await withBook({ upstream, date: lastNight }, async ({ base: { db }, night }) => {
        await night(lastNight);
        say(`three years: ${await addThreeYears(db)}`);
        const measured: Measured[] = [];
        await forget(db, '2023-01-01');
        let nights = 0;
        const all = await seconds(async () => {
          nights = await deriveNights(db, 'uk', { onDerived: (some) => say(`${some.at(-1)?.snapshotDate} derived`) });
        });
        measured.push(
          result(`deriving ${nights} nights: figures, indices, promotions, pack sizes, matches`, all, null),
        );
        for (const [what, only] of [
          ['all derivations of one more night', derivations],
          ...derivations.map((each) => [`${each.name} of one more night`, [each]] as const),
        ] as const) {
          await forget(db, lastNight);
          const took = await seconds(() => deriveNights(db, 'uk', { all: only }));
          measured.push(result(what, took, only === derivations ? { is: 'at most', aim: 3, floor: 3 } : null));
        }
        await forget(db, lastNight);
        await deriveNights(db, 'uk');
        await db.query('vacuum (analyze) derived.daily_figure, derived.price_index');
        for (const table of ['daily_figure', 'price_index', 'period_panel', 'base_panel']) {
          const { rows } = await db.query<{ bytes: number }>(
            `select pg_total_relation_size('derived.${table}') as bytes`,
          );
          measured.push({
            what: `derived.${table} after three years`,
            value: rows[0]!.bytes / 1e6,
            unit: 'MB',
            target: null,
            from: 'pg_total_relation_size',
          });
        }
        for (const [what, query] of Object.entries(trends)) {
          await db.query(query);
          const took = await seconds(() => db.query(query));
          measured.push({
            what,
            value: took * 1_000,
            unit: 'ms',
            target: { is: 'at most', aim: 20, floor: 100 },
            from: 'the second of two queries',
          });
        }
        return measured;
      });
    } finally {
      await upstream.close();
    }
  },
};

const trends: Readonly<Record<string, string>> = {
  'the region over 90 days': `select * from marts.fct_region_daily where region = 'uk' and snapshot_date > date '${lastNight}' - 90 order by snapshot_date`,
  'the departments over 90 days': `select * from marts.fct_category_daily where region = 'uk' and snapshot_date > date '${lastNight}' - 90
    and category_key in (select category_key from marts.dim_category where region = 'uk' and depth = 0) order by category_key, snapshot_date`,
  'the GEKS index of the departments over 90 days': `select * from marts.price_index where region = 'uk' and period = 'day' and method = 'geks_jevons'
    and price_basis = 'shelf' and period_start > date '${lastNight}' - 90
    and category_key in (select category_key from marts.dim_category where region = 'uk' and depth = 0) order by category_key, period_start`,
  'the monthly index of the region, three years': `select * from marts.price_index where region = 'uk' and period = 'month'
    and category_key is null order by method, price_basis, period_start`,
};

async function forget(db: Database, from: string): Promise<void> {
  await db.tx((tx) => forgetDerived(tx, 'uk', from));
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

function result(what: string, value: number, target: Measured['target']): Measured {
  return { what, value, unit: 's', target, from: 'one run' };
}
