import { beforeAll, describe, expect, it } from 'vitest';
import { deriveNights } from '../../src/followers/derive/derive-nights.ts';
import { sqlDerivation } from '../../src/followers/derive/sql-derivation.ts';
import { fillFromTruth, type TrueNight } from '../support/book-from-truth.ts';
import { useDatabase } from '../support/database.ts';
import { insert } from '../support/insert.ts';

interface Gap {
  readonly snapshot_date: string;
  readonly tier: number;
  readonly uk: string;
  readonly ie: string;
  readonly uk_price: string | null;
  readonly ie_price: string | null;
  readonly rate: string | null;
  readonly gap_pct: string | null;
  readonly reason: string | null;
}

const rates: Readonly<Record<string, number>> = { '2026-03-01': 0.8712, '2026-03-03': 0.86 };

describe('the gap between two prices', () => {
  const database = useDatabase();
  let nights: readonly TrueNight[] = [];
  let gaps: readonly Gap[] = [];

  const read = async (where: string, values: readonly unknown[] = []) =>
    (
      await database.db.query<Gap & Record<string, unknown>>(
        `select snapshot_date, tier, uk_product_id as uk, ie_product_id as ie, uk_price, ie_price, rate, gap_pct, reason
         from marts.fct_region_gap where ${where} order by 1, 2, 3, 4`,
        values,
      )
    ).rows;

  beforeAll(async () => {
    const { db } = database;
    // A night every five days: the last has no rate within a week.
    nights = await fillFromTruth(db, {
      items: 300,
      seed: 5,
      from: '2026-03-01',
      nights: 4,
      step: 5,
      dailyTurnover: 0.01,
      unavailable: 0.3,
    });
    // Ireland has no certified night on the 11th.
    await db.query(`update ops.run set verdict = 'partial' where region = 'ie' and snapshot_date = '2026-03-11'`);
    await insert(
      db,
      'ops.fx_rate',
      Object.entries(rates).map(([on_date, rate]) => ({
        base: 'EUR',
        quote: 'GBP',
        on_date,
        rate,
        source: 'test',
        loaded_at: '2026-03-20T00:00:00Z',
      })),
    );
    for (const region of ['uk', 'ie'] as const)
      await deriveNights(db, region, { all: [sqlDerivation('region-match')] });
    gaps = await read('true');
  });

  it("gaps equal the simulator's prices on every night of every match", async () => {
    const { rows: matches } = await database.db.query<{ uk: string; ie: string }>(
      'select uk_product_id as uk, ie_product_id as ie from marts.region_match',
    );
    expect(matches.length).toBeGreaterThan(80);
    const on = (region: string, date: string) =>
      nights.find((night) => night.region === region && night.date === date)!.products;
    const expected = ['2026-03-01', '2026-03-06', '2026-03-11', '2026-03-16'].flatMap((date) =>
      matches.flatMap(({ uk, ie }) => {
        const british = on('uk', date).get(uk);
        const irish = date === '2026-03-11' ? undefined : on('ie', date).get(ie);
        if (!british && !irish) return [];
        const rate = { '2026-03-01': 0.8712, '2026-03-06': 0.86 }[date] ?? null;
        return [{ date, uk, ie, british, irish, rate }];
      }),
    );
    const key = ({ date, uk, ie }: { date: string; uk: string; ie: string }) => `${date} ${uk} ${ie}`;
    const found = new Map(gaps.map((gap) => [key({ date: gap.snapshot_date, ...gap }), gap]));
    expect([...found.keys()].sort()).toEqual(expected.map(key).sort());
    for (const one of expected) {
      const gap = found.get(key(one))!;
      const [gbp, eur] = [one.british?.priceMinor ?? null, one.irish?.priceMinor ?? null];
      expect(
        [gap.uk_price, gap.ie_price].map((price) => (price === null ? null : Math.round(Number(price) * 100))),
      ).toEqual([gbp, eur]);
      if (gbp === null || eur === null || one.rate === null) expect(gap.gap_pct).toBeNull();
      else expect(Number(gap.gap_pct)).toBeCloseTo(100 * ((eur * one.rate) / gbp - 1), 1);
      expect(gap.reason === null).toBe(gap.gap_pct !== null);
    }
  });

  it('parity over time is that of the sure pairs with prices on both nights, whatever comes and goes', async () => {
    const ratiosOn = (date: string) =>
      new Map(
        gaps
          .filter((gap) => gap.snapshot_date === date && gap.tier < 3 && gap.uk_price && gap.ie_price)
          .map(({ uk, ie, uk_price, ie_price }) => [`${uk} ${ie}`, Number(ie_price) / Number(uk_price)]),
      );
    const [before, now] = [ratiosOn('2026-03-01'), ratiosOn('2026-03-06')];
    const mean = (ratios: Iterable<number>) => {
      const logs = [...ratios].map(Math.log);
      return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length);
    };
    const same = [...now.keys()].filter((pair) => before.has(pair));
    const change = 100 * (mean(same.map((pair) => now.get(pair)! / before.get(pair)!)) - 1);
    const changeOfAll = 100 * (mean(now.values()) / mean(before.values()) - 1);
    expect(Math.abs(changeOfAll - change)).toBeGreaterThan(0.02);

    const { rows } = await database.db.query(`select * from marts.region_parity('2026-03-06', '2026-03-01')`);
    expect(rows).toMatchObject([
      { pairs: now.size, same_pairs: same.length, precision_pct: expect.stringMatching(/^99\.\d\d$/) },
    ]);
    expect(Number(rows[0]!['parity'])).toBeCloseTo(mean(now.values()), 3);
    expect(Number(rows[0]!['change_pct'])).toBeCloseTo(change, 2);
  });

  it('missing gaps have a reason, and every reason occurs', () => {
    const reasons = new Set(gaps.map(({ reason }) => reason));
    expect([...reasons].sort()).toEqual(
      [null, 'no_ie_night', 'no_ie_price', 'no_rate', 'no_uk_price', 'not_listed_in_ie', 'not_listed_in_uk'].sort(),
    );
    for (const gap of gaps.filter(({ snapshot_date }) => snapshot_date === '2026-03-11'))
      expect(gap.reason).toBe('no_ie_night');
  });

  it('the price of a night that is crawled again is not the kept one', async () => {
    const { db } = database;
    const [pair] = await read(`snapshot_date = '2026-03-16' and uk_price > 0 and ie_price > 0`);
    await db.query(`update derived.pair_price set uk_minor = uk_minor + 1`);
    const priceOf = async () =>
      (
        await read(`snapshot_date = '2026-03-16' and uk_product_id = $1 and ie_product_id = $2`, [pair!.uk, pair!.ie])
      )[0]!.uk_price;
    expect(Number(await priceOf())).toBeCloseTo(Number(pair!.uk_price) + 0.01);
    await db.query(`update derived.night set run_id = -1 where region = 'uk' and snapshot_date = '2026-03-16'`);
    expect(await priceOf()).toBe(pair!.uk_price);
  });

  it('prices kept of the last night derived in both regions equal those that are looked up', async () => {
    const { rows: nights } = await database.db.query('delete from derived.pair_price returning snapshot_date as date');
    expect([...new Set(nights.map((row) => row['date']))]).toEqual(['2026-03-16']);
    expect(await read('true')).toEqual(gaps);
  });
});
