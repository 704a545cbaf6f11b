import type { Database } from '../../src/db/client.ts';
import { certifiedNights } from '../../src/derive/certified-nights.ts';
import type { Derivation } from '../../src/derive/derivation.ts';
import { deriveNights, forgetDerived } from '../../src/derive/derive-nights.ts';
import { derivations } from '../../src/derive/index.ts';
import { nightlyFigures } from '../../src/derive/nightly-figures.ts';
import { forgetPanels } from '../../src/derive/panel-store.ts';
import type { Period } from '../../src/derive/period.ts';
import { createPeriodCollector } from '../../src/derive/period-collector.ts';
import { walkNights } from '../../src/derive/walk-nights.ts';
import type { Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

/** How long it takes to derive what follows from three years of nights, and from one more; what that keeps; and what it makes quick. */
export const figures: Figure = {
  name: 'figures',
  async run(bench) {
    return withThreeYears(bench, async ({ db, derived }) => {
      const measured: Measured[] = [
        result(
          `deriving ${derived.nights} nights: figures, indices, promotions, pack sizes, matches`,
          derived.seconds,
          null,
        ),
      ];
      const monthsAgo = 25;
      const monthly = await secondsOfPeriods(db, 'month', firstOf(monthsAgo));
      measured.push(
        result(`monthly indices of ${monthsAgo} months: ${monthly.rows} values by category`, monthly.seconds, {
          is: 'at most',
          aim: 60,
          floor: 60,
        }),
      );
      await forget(db, firstOf(monthsAgo), [nightlyFigures]);
      let nights = 0;
      const months = await seconds(async () => {
        nights = await deriveNights(db, 'uk', { all: [nightlyFigures] });
      });
      measured.push(
        result(`daily figures and indices of ${monthsAgo} months (${nights} nights)`, months, {
          is: 'at most',
          aim: 60,
          floor: 60,
        }),
      );
      for (const [what, only] of [
        ['all derivations of one more night', derivations],
        ...derivations.map((each) => [`${each.name} of one more night`, [each]] as const),
      ] as const) {
        const took = await secondsOfLastNight(db, only);
        measured.push(result(what, took, only[0] === nightlyFigures ? { is: 'at most', aim: 3, floor: 3 } : null));
      }
      await db.query('vacuum (analyze) derived.daily_figure, derived.price_index');
      for (const table of [
        'daily_figure',
        'price_index',
        'period_panel',
        'base_panel',
        'promotion_start',
        'pack_size',
      ]) {
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
      for (const [what, query] of Object.entries(trends)) measured.push(await trend(db, what, query));
      return measured;
    });
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

async function forget(db: Database, from: string, all: readonly Derivation[]): Promise<void> {
  await db.tx((tx) => forgetDerived(tx, 'uk', from, all));
}

/** The first night of so many months that end with the last night. */
function firstOf(months: number): string {
  const date = new Date(`${lastNight}T00:00:00Z`);
  date.setUTCMonth(date.getUTCMonth() - months);
  date.setUTCDate(date.getUTCDate() + 1);
  return date.toISOString().slice(0, 10);
}

/** The indices of one kind of period from a date on, and nothing else of what follows from the nights; the book stays as it was. */
async function secondsOfPeriods(db: Database, period: Period, from: string) {
  let measured = { seconds: 0, rows: 0 };
  const isMeasured = new Error('measured');
  const counted = `select count(*)::int as rows from derived.price_index where region = 'uk' and period = $1 and period_start >= $2`;
  await db
    .tx(
      async (tx) => {
        await tx.query(`delete from derived.price_index where region = 'uk' and period = $1 and period_start >= $2`, [
          period,
          from,
        ]);
        await forgetPanels(tx, 'uk', from);
        const startedAt = performance.now();
        const all = await certifiedNights(tx, 'uk');
        const nights = all.filter(({ snapshotDate }) => snapshotDate >= from);
        const collector = await createPeriodCollector(tx, { region: 'uk', period, all, nights });
        const walk = await walkNights(
          tx,
          'uk',
          all.filter(({ snapshotDate }) => snapshotDate >= collector.readFrom),
        );
        for await (const walked of walk.nights()) await collector.add(walked, walk.groups);
        await collector.end();
        const seconds = (performance.now() - startedAt) / 1_000;
        const { rows } = await tx.query<{ rows: number }>(counted, [period, from]);
        measured = { seconds, rows: rows[0]!.rows };
        throw isMeasured;
      },
      { isolation: 'repeatable read' },
    )
    .catch((error: unknown) => {
      if (error !== isMeasured) throw error;
    });
  return measured;
}

/** As it comes: after the night before, with what that has left for it. */
async function secondsOfLastNight(db: Database, all: readonly Derivation[]): Promise<number> {
  await forget(db, daysAfter(lastNight, -1), all);
  const derivedAt: number[] = [];
  await deriveNights(db, 'uk', { all, nightsAtOnce: 1, onDerived: () => derivedAt.push(performance.now()) });
  return (derivedAt.at(-1)! - derivedAt.at(-2)!) / 1_000;
}

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

const times = 5;

async function trend(db: Database, what: string, query: string): Promise<Measured> {
  await db.query(query);
  const took: number[] = [];
  for (let time = 0; time < times; time++) took.push(await seconds(() => db.query(query)));
  const value = took.sort((a, b) => a - b)[times >> 1]! * 1_000;
  return { what, value, unit: 'ms', target: { is: 'at most', aim: 20, floor: 100 }, from: `median of ${times}` };
}

function result(what: string, value: number, target: Measured['target']): Measured {
  return { what, value, unit: 's', target, from: 'one run' };
}
