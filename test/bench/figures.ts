import type { Database, Transaction } from '../../src/db/client.ts';
import { certifiedNights } from '../../src/followers/derive/certified-nights.ts';
import type { CertifiedNight, Derivation } from '../../src/followers/derive/derivation.ts';
import { deriveNights, forgetDerived } from '../../src/followers/derive/derive-nights.ts';
import { derivations } from '../../src/followers/derive/index.ts';
import { nightlyFigures } from '../../src/followers/derive/nightly-figures.ts';
import { panelOfNight } from '../../src/followers/derive/panel.ts';
import { createPeriodIndex } from '../../src/followers/derive/period-index.ts';
import { walkNights } from '../../src/followers/derive/walk-nights.ts';
import type { Figure, Measured } from './figure.ts';
import { daysAfter } from './night-clock.ts';
import { historyBegins, lastNight } from './three-years.ts';
import { withThreeYears } from './three-years-book.ts';

/**
 * How long it takes to derive what follows from three years of nights, and from one more; what that keeps; and what it
 * makes quick.
 */
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
      const atMost = { is: 'at most', aim: 60, floor: 60 } as const;
      const monthly = await secondsOfFirst(db, indexMonths);
      measured.push(result(`monthly indices of ${monthly.what}`, monthly.seconds, atMost));
      const nightly = await secondsOfFirst(db, deriveFigures);
      measured.push(
        result(`daily figures and daily, weekly and monthly indices of ${nightly.what}`, nightly.seconds, atMost),
      );
      // What was rolled back would be cleaned up by the server in the middle of what follows.
      await db.query('vacuum (analyze)');
      for (const [what, only] of [
        ['all derivations of one more night', derivations],
        ...derivations.map((each) => [`${each.name} of one more night`, [each]] as const),
      ] as const) {
        const took = await secondsOfLastNight(db, only);
        measured.push(result(what, took, only[0] === nightlyFigures ? { is: 'at most', aim: 3, floor: 3 } : null));
      }
      await db.query('vacuum (analyze) derived.daily_figure, derived.price_index');
      for (const table of ['daily_figure', 'price_index', 'period_panel', 'promotion_start', 'pack_size']) {
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

const months = 25;
/** As the program does. */
const nightsAtOnce = 800;

type DeriveNights = (tx: Transaction, nights: readonly CertifiedNight[]) => Promise<void>;

/** Derives the first months of the book as if nothing was derived before; the book stays as it was. */
async function secondsOfFirst(db: Database, derive: DeriveNights): Promise<{ seconds: number; what: string }> {
  const measured = { seconds: 0, what: '' };
  const isMeasured = new Error('measured');
  await db
    .tx(
      async (tx) => {
        await tx.query(`set local work_mem = '64MB'`);
        await nightlyFigures.forget(tx, 'uk', historyBegins.date);
        const end = monthsAfter(historyBegins.date, months);
        const nights = (await certifiedNights(tx, 'uk')).filter(({ snapshotDate }) => snapshotDate < end);
        measured.what = `${months} months (${nights.length} nights)`;
        measured.seconds = await seconds(() => derive(tx, nights));
        throw isMeasured;
      },
      { isolation: 'repeatable read' },
    )
    .catch((error: unknown) => {
      if (error !== isMeasured) throw error;
    });
  return measured;
}

const deriveFigures: DeriveNights = async (tx, nights) => {
  for (let n = 0; n < nights.length; n += nightsAtOnce) {
    const some = nights.slice(n, n + nightsAtOnce);
    await nightlyFigures.derive(tx, { region: 'uk', nights: some, before: nights[n - 1] ?? null });
  }
};

const indexMonths: DeriveNights = async (tx, nights) => {
  const firstOwed = nights[0]!.snapshotDate;
  const index = await createPeriodIndex(tx, { region: 'uk', period: 'month', all: nights, firstOwed });
  const walk = await walkNights(tx, 'uk', nights);
  for await (const { night, state } of walk.nights())
    await index.add(night.snapshotDate, panelOfNight(state), walk.groups);
  await index.end();
};

function monthsAfter(date: string, count: number): string {
  const after = new Date(`${date}T00:00:00Z`);
  after.setUTCMonth(after.getUTCMonth() + count);
  return after.toISOString().slice(0, 10);
}

/** As it comes: after the night before, with what that has left for it, and not as a night that is derived again. */
async function secondsOfLastNight(db: Database, all: readonly Derivation[]): Promise<number> {
  const nightBefore = daysAfter(lastNight, -1);
  await forget(db, nightBefore, all);
  await db.query(`delete from derived.night_change where region = 'uk' and snapshot_date >= $1`, [nightBefore]);
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
