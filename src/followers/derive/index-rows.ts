import type { RegionCode } from '../../base/model/index.ts';
import type { Transaction } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { CategoryGroups } from './category-groups.ts';
import { bases, type PriceBasis } from './panel.ts';
import type { Period } from './period.ts';
import { type IndexedPeriod, noLogs, type Published } from './price-index.ts';
import { type Cell, copyRows } from './write-figures.ts';

/** Index of rows with its categories. */
export interface IndexOf {
  readonly region: RegionCode;
  readonly period: Period;
  readonly groups: CategoryGroups;
}

/** Column names by price basis: `chained_shelf`, `chained_member`, … */
const both = (...figures: string[]): string[] => figures.flatMap((name) => bases.map((basis) => `${name}_${basis}`));

const columns = [
  ...['region', 'period', 'category_key', 'period_start', 'base_start'],
  ...both('chained', 'fixed', 'geks', 'mean'),
  'priced',
  ...both('matched', 'outliers', 'fixed_matched'),
  ...['arrivals', 'departures', 'derived_on'],
];

/** Converts a logarithm to an index value with base 100. */
const indexValue = (log: number): number | null => (Number.isNaN(log) ? null : 100 * Math.exp(log));

const logOf = (value: number | null): number => (value === null ? Number.NaN : Math.log(value / 100));

/** Replaces the rows of a period. `derivedOn`: last night of the derivation. */
export async function writePeriod(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  indexed: IndexedPeriod,
  derivedOn: string,
): Promise<void> {
  // By category, the leading key column, to avoid reading the whole table for one night.
  await tx.query(
    `delete from derived.price_index
     where region = $1 and period = $2 and category_key = any($3::int[]) and period_start = $4`,
    [region, period, groups.categoryKeys, indexed.start],
  );
  const { start, baseStart, chained, fixed, geks, mean, priced, matched, outliers, fixedMatched } = indexed;
  const rows = groups.categoryKeys.flatMap((key, c): Cell[][] => {
    if (priced[c] === 0) return [];
    const values = [chained, fixed, geks, mean].flatMap(({ shelf, member }) => [shelf[c]!, member[c]!]);
    const counts = [matched, outliers, fixedMatched].flatMap(({ shelf, member }) => [shelf[c]!, member[c]!]);
    const moves = [indexed.arrivals?.[c] ?? null, indexed.departures?.[c] ?? null];
    return [
      [
        region,
        period,
        key,
        start,
        baseStart[c]!,
        ...values.map(indexValue),
        priced[c]!,
        ...counts,
        ...moves,
        derivedOn,
      ],
    ];
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
      baseStart[c] ? [{ start, key, shelf: indexValue(geks.shelf[c]!), member: indexValue(geks.member[c]!) }] : [],
    ),
  );
  if (values.length === 0) return;
  await tx.query(
    `update derived.price_index i
     set geks_shelf = value.shelf, geks_member = value.member, derived_on = $7
     from unnest($3::date[], $4::int[], $5::float8[], $6::float8[]) as value (start, category_key, shelf, member)
     where i.region = $1 and i.period = $2 and i.period_start = value.start and i.category_key = value.category_key
       and (i.geks_shelf, i.geks_member) is distinct from (value.shelf, value.member)`,
    [
      region,
      period,
      values.map(({ start }) => start),
      values.map(({ key }) => key),
      values.map(({ shelf }) => shelf),
      values.map(({ member }) => member),
      derivedOn,
    ],
  );
}

interface PublishedRow {
  readonly key: number;
  readonly start: string;
  readonly baseStart: string;
  readonly priced: number;
  readonly chained: Readonly<Record<PriceBasis, number | null>>;
  readonly geks: Readonly<Record<PriceBasis, number | null>>;
}

/** Published values of periods in order. */
export async function readPublished(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  starts: readonly string[],
): Promise<Published[]> {
  const rows = await rowsOf<PublishedRow & Record<string, unknown>>(
    tx,
    `select category_key as key, period_start as start, base_start as "baseStart", priced,
       json_build_object('shelf', chained_shelf, 'member', chained_member) as chained,
       json_build_object('shelf', geks_shelf, 'member', geks_member) as geks
     from derived.price_index
     where region = $1 and period = $2 and category_key = any($3::int[]) and period_start = any($4::date[])`,
    [region, period, groups.categoryKeys, starts],
  );
  const categories = groups.categoryKeys.length;
  const periods = starts.map((start) => ({
    start,
    baseStart: new Array<string>(categories).fill(''),
    chained: noLogs(categories),
    geks: noLogs(categories),
    priced: new Int32Array(categories),
  }));
  const periodOf = new Map(periods.map((each) => [each.start, each]));
  const numberOf = new Map(groups.categoryKeys.map((key, c) => [key, c]));
  for (const row of rows) {
    const c = numberOf.get(row.key)!;
    const { baseStart, chained, geks, priced } = periodOf.get(row.start)!;
    baseStart[c] = row.baseStart;
    priced[c] = row.priced;
    for (const basis of bases) {
      chained[basis][c] = logOf(row.chained[basis]);
      geks[basis][c] = logOf(row.geks[basis]);
    }
  }
  return periods;
}
