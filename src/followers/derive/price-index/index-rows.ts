import type { RegionCode } from '../../../base/model/index.ts';
import type { Transaction } from '../../../db/client.ts';
import { copyBinary, floatsOf, integersOf } from '../../../db/copy-binary.ts';
import type { CategoryGroups } from '../category-groups.ts';
import { type Cell, copyRows } from '../write-figures.ts';
import { bases } from './panel.ts';
import type { Period } from './period.ts';
import { type IndexedPeriod, noCounts, noLogs, type Published } from './price-index.ts';

/** Index of rows with its categories. */
export interface IndexOf {
  readonly region: RegionCode;
  readonly period: Period;
  readonly groups: CategoryGroups;
}

const columns = [
  ...['region', 'period', 'category_key', 'period_start', 'base_start', 'nights', 'base_nights'],
  ...['values', 'counts', 'arrivals', 'departures', 'derived_on'],
];

/**
 * The arrays `values` and `counts` of a row have these kinds in this order, and within a kind one element for each of
 * `bases`. The views price-index.sql and price-index-vintage.sql read the same positions.
 */
const valueKinds = ['chained', 'fixed', 'geks', 'mean'] as const;
/**
 * Relatives used and outliers excluded, compared with the linked period; relatives used, compared with the base period;
 * products with a price.
 */
const countKinds = ['matched', 'outliers', 'fixedMatched', 'priced'] as const;

/** Position of a kind's first element, counted from 1. */
const firstOf = <Kind>(kinds: readonly Kind[], kind: Kind): number => 1 + kinds.indexOf(kind) * bases.length;

const [chainedFrom, geksFrom] = [firstOf(valueKinds, 'chained'), firstOf(valueKinds, 'geks')];
const pricedFrom = firstOf(countKinds, 'priced');

/** SQL: subscript of a kind's elements. */
const elementsOf = (from: number): string => `[${from}:${from + bases.length - 1}]`;

/** SQL: subscript of the GEKS values within `values`. */
export const geksValues = elementsOf(geksFrom);

/** Converts a logarithm to an index value with base 100. */
const indexValue = (log: number): number | null => (Number.isNaN(log) ? null : 100 * Math.exp(log));

/** What an index row needs beside its values. */
interface Derived {
  /** Number of certified nights in a period, by its start. */
  readonly nightsIn: ReadonlyMap<string, number>;
  /** Last night of the derivation. */
  readonly derivedOn: string;
}

/** Replaces the rows of periods. */
export async function writePeriods(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  indexed: readonly IndexedPeriod[],
  { nightsIn, derivedOn }: Derived,
): Promise<void> {
  // By category, the leading key column, to avoid reading the whole table for one night.
  await tx.query(
    `delete from derived.price_index
     where region = $1 and period = $2 and category_key = any($3::int[]) and period_start = any($4::date[])`,
    [region, period, groups.categoryKeys, indexed.map(({ start }) => start)],
  );
  const rows = indexed.flatMap((each): Cell[][] => {
    const { start, baseStart, arrivals, departures } = each;
    const values = valueKinds.flatMap((kind) => bases.map((basis) => each[kind][basis]));
    const counts = countKinds.flatMap((kind) => bases.map((basis) => each[kind][basis]));
    const rowOf = (key: number, c: number): Cell[] => [
      ...[region, period, key, start, baseStart[c]!, nightsIn.get(start)!, nightsIn.get(baseStart[c]!)!],
      `{${values.map((logs) => indexValue(logs[c]!) ?? 'null').join()}}`,
      `{${counts.map((numbers) => numbers[c]!).join()}}`,
      ...[arrivals?.[c] ?? null, departures?.[c] ?? null, derivedOn],
    ];
    return groups.categoryKeys.flatMap((key, c) => (each.priced.shelf[c] === 0 ? [] : [rowOf(key, c)]));
  });
  await copyRows(tx, 'price_index', columns, rows);
}

/** Writes revised GEKS values of earlier periods. */
export async function writeRevisions(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  revised: Iterable<Published>,
  derivedOn: string,
): Promise<void> {
  const values = [...revised].flatMap(({ start, geks, baseStart }) =>
    groups.categoryKeys.flatMap((key, c) =>
      baseStart[c] ? [{ start, key, geks: bases.map((basis) => indexValue(geks[basis][c]!)) }] : [],
    ),
  );
  await tx.query(
    `update derived.price_index i
     set values${geksValues} = value.geks, derived_on = $4
     from jsonb_to_recordset($3) as value (start date, key int, geks float8[])
     where i.region = $1 and i.period = $2 and i.period_start = value.start and i.category_key = value.key
       and i.values${geksValues} is distinct from value.geks`,
    [region, period, JSON.stringify(values), derivedOn],
  );
}

/** Published values of periods in order. */
export async function readPublished(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  starts: readonly string[],
): Promise<Published[]> {
  const categories = groups.categoryKeys.length;
  const periods = starts.map((start) => ({
    start,
    baseStart: new Array<string>(categories).fill(''),
    chained: noLogs(categories),
    geks: noLogs(categories),
    priced: noCounts(categories),
  }));
  const periodOf = new Map(periods.map((each) => [each.start, each]));
  const numberOf = new Map(groups.categoryKeys.map((key, c) => [key, c]));
  await copyBinary(
    tx,
    `select category_key, period_start::text, base_start::text, values${elementsOf(chainedFrom)},
       values${geksValues}, counts${elementsOf(pricedFrom)}
     from derived.price_index
     where region = $1 and period = $2 and category_key = any($3::int[]) and period_start = any($4::date[])`,
    [region, period, `{${groups.categoryKeys.join()}}`, `{${starts.join()}}`],
    ([key, start, base, ...fields]) => {
      const c = numberOf.get(key!.readInt32BE())!;
      const { baseStart, chained, geks, priced } = periodOf.get(String(start))!;
      baseStart[c] = String(base);
      const [chainedOf, geksOf, pricedOf] = [floatsOf(fields[0]!), floatsOf(fields[1]!), integersOf(fields[2])];
      for (const [b, basis] of bases.entries()) {
        chained[basis][c] = Math.log(chainedOf[b]! / 100);
        geks[basis][c] = Math.log(geksOf[b]! / 100);
        priced[basis][c] = pricedOf[b]!;
      }
    },
  );
  return periods;
}
