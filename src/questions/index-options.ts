import { NothingFound } from '../base/errors.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import { certifiedNights } from '../followers/derive/certified-nights.ts';
import {
  adjustedEntryOf,
  type Entry,
  entryOf,
  type Panel,
  type PriceBasis,
} from '../followers/derive/price-index/panel.ts';
import { type Period, periodStart } from '../followers/derive/price-index/period.ts';
import { keptPanels, readPanels } from '../followers/derive/price-index/period-panels.ts';
import { readCategoryGroups } from '../followers/derive/walk-nights.ts';
import {
  allSplices,
  chainedJevons,
  expanding,
  geksIndex,
  type IndexLogs,
  jevons,
  keep,
  type PeriodPrices,
  rolling,
  timeProductDummy,
  withImputedGaps,
  withoutClearances,
} from './index-methods.ts';

export interface IndexToCompute {
  readonly region: RegionCode;
  /** Null: everything in the region. */
  readonly categoryKey: number | null;
  readonly period: Period;
  readonly basis: PriceBasis;
  /** Periods of a rolling window. */
  readonly window: number;
}

/** An index by one option; 100 in the first period. */
export interface OptionSeries {
  readonly option: string;
  /** Null where nothing can be compared. */
  readonly values: readonly (number | null)[];
}

export interface IndexOptions {
  /** Starts of the periods, in order. */
  readonly periods: readonly string[];
  /** Products with a price in each. */
  readonly products: readonly number[];
  readonly series: readonly OptionSeries[];
  /** Products with a price in the first and in the last period, and the standard error of their mean change. */
  readonly matched: number;
  readonly standardErrorPercent: number | null;
}

/**
 * Computes the index of a region or category by each method, splice and treatment of prices, from the prices of the
 * periods that the GEKS window keeps: at most 29 days, 25 weeks or 25 months.
 */
export async function computeIndexOptions(tx: Transaction, wanted: IndexToCompute): Promise<IndexOptions> {
  const { region, period } = wanted;
  const groups = await readCategoryGroups(tx, region);
  const category = groups.categoryKeys.indexOf(wanted.categoryKey ?? 0);
  const starts = [...(await keptPanels(tx, { region, period })).keys()].sort();
  const read = await readPanels(tx, { region, period, groups }, { starts, column: 'panel' }, (start, panel) => ({
    start,
    prices: pricesOf(panel, wanted.basis, (group) => groups.members(group).includes(category)),
  }));
  const priced = read.filter(({ prices }) => prices.keys.length > 0);
  if (priced.length < 2)
    throw new NothingFound('An index needs two periods with prices; `pricebook index --period day` shows the nights.');
  const all = priced.map(({ prices }) => prices);
  const outOfStock = await readOutOfStock(tx, region, period, starts);
  const inStock = priced.map(({ start, prices }) =>
    keep(prices, (place) => !outOfStock.get(start)?.has(prices.keys[place]!)),
  );
  const { matched, standardError } = jevons(all[0]!, all.at(-1)!);
  return {
    periods: priced.map(({ start }) => start),
    products: all.map(({ keys }) => keys.length),
    series: [
      { option: 'as published', values: await readPublished(tx, wanted, priced) },
      ...Object.entries(optionsOf(all, inStock, wanted.window)).map(([option, logs]) => ({
        option,
        values: logs.map(indexOf),
      })),
    ],
    matched,
    standardErrorPercent: standardError && 100 * standardError,
  };
}

/** Logarithms of the index by option. */
function optionsOf(
  all: readonly PeriodPrices[],
  inStock: readonly PeriodPrices[],
  window: number,
): Record<string, IndexLogs> {
  const { length } = all;
  const geks = geksIndex(all);
  const mean = { at: 'mean', isOnPublished: true } as const;
  const whole = (prices: readonly PeriodPrices[]) => geksIndex(prices)(0, length - 1);
  return {
    'GEKS-Jevons, one window': geks(0, length - 1),
    'Jevons, chained': chainedJevons(all),
    'Jevons, fixed base': all.map((prices) => jevons(all[0]!, prices).log),
    ...Object.fromEntries(
      allSplices.map((splice) => [
        `GEKS-Jevons, ${splice.at} splice${splice.isOnPublished ? ' on published values' : ''}`,
        rolling(length, window, geks, splice),
      ]),
    ),
    'GEKS-Jevons, fixed base, expanding window': expanding(length, window - 1, geks),
    'time product dummy, one window': timeProductDummy(all)(0, length - 1),
    'time product dummy, mean splice': rolling(length, window, timeProductDummy(all), mean),
    'GEKS-Jevons, clearances left out': whole(withoutClearances(all)),
    'GEKS-Jevons, gaps imputed': whole(withImputedGaps(all)),
    'GEKS-Jevons, out of stock left out': whole(inStock),
  };
}

/** Products that were listed but out of stock on every night of a period, by its start. */
async function readOutOfStock(
  tx: Transaction,
  region: RegionCode,
  period: Period,
  starts: readonly string[],
): Promise<Map<string, ReadonlySet<number>>> {
  const nights = (await certifiedNights(tx, region)).map(({ snapshotDate, observedAt }) => ({
    start: periodStart(period, snapshotDate),
    observedAt,
  }));
  const rows = await rowsOf<{ start: string; keys: number[] }>(
    tx,
    `with out_of_stock as materialized (
       select spell.product_key, spell.valid_from, spell.valid_to
       from catalog.availability_spell spell
       join catalog.product p on p.product_key = spell.product_key and p.region = $1
       where spell.availability = 'unavailable'
     )
     select period.start, array_agg(spell.product_key) as keys
     from unnest($2::text[], $3::timestamptz[], $4::timestamptz[]) as period (start, first, last)
     join out_of_stock spell
       on spell.valid_from <= period.first and (spell.valid_to is null or spell.valid_to > period.last)
     group by period.start`,
    [
      region,
      starts,
      starts.map((start) => nights.find((night) => night.start === start)!.observedAt),
      starts.map((start) => nights.findLast((night) => night.start === start)!.observedAt),
    ],
  );
  return new Map(rows.map(({ start, keys }) => [start, new Set(keys)]));
}

/** The prices of a panel's products in some groups of categories. */
export function pricesOf(panel: Panel, basis: PriceBasis, isIn: (group: number) => boolean): PeriodPrices {
  const isAdjusted = basis === 'shelf_adjusted' || basis === 'member_adjusted';
  const column = basis.startsWith('shelf') ? 'shelf' : 'member';
  const entry = isAdjusted ? adjustedEntryOf : entryOf;
  const added = isAdjusted ? [...panel.adjusted.keys()] : [];
  const keys = added.length === 0 ? panel.keys : Int32Array.from(new Set([...panel.keys, ...added])).sort();
  const kept: number[] = [];
  const logs: number[] = [];
  for (const key of keys) {
    const { nights, group, [column]: sum } = entry(panel, key) as Entry;
    if (nights === 0 || sum <= 0 || !isIn(group)) continue;
    kept.push(key);
    logs.push(Math.log(sum / nights));
  }
  return { keys: Int32Array.from(kept), logs: Float64Array.from(logs) };
}

/** Published GEKS-Jevons values, 100 in the first of the periods. */
async function readPublished(
  tx: Transaction,
  { region, categoryKey, period, basis }: IndexToCompute,
  priced: readonly { readonly start: string }[],
): Promise<(number | null)[]> {
  const rows = await rowsOf<{ start: string; value: number | null }>(
    tx,
    `select period_start::text as start, value::float8 as value
     from marts.price_index
     where region = $1 and category_key is not distinct from $2::int and period = $3 and price_basis = $4
       and method = 'geks_jevons' and period_start >= $5`,
    [region, categoryKey, period, basis, priced[0]!.start],
  );
  const valueAt = new Map(rows.map(({ start, value }) => [start, value]));
  const first = valueAt.get(priced[0]!.start) ?? null;
  return priced.map(({ start }) => {
    const value = valueAt.get(start) ?? null;
    return value === null || first === null ? null : (100 * value) / first;
  });
}

const indexOf = (log: number): number | null => (Number.isNaN(log) ? null : 100 * Math.exp(log));
