import type { RegionCode } from '../../../base/model/index.ts';
import type { Transaction } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';
import { priceIndex } from '../../../db/tables/index.ts';
import { type CategoryGroups, wholeRegion } from '../category-groups.ts';
import { insertRows } from '../daily-figures.ts';
import { bases } from './panel.ts';
import type { Period } from './period.ts';
import { type IndexedPeriod, noCounts, noValues, type Published } from './price-index.ts';

/** Index of rows with its categories. */
export interface IndexOf {
  readonly region: RegionCode;
  readonly period: Period;
  readonly groups: CategoryGroups;
}

/**
 * The arrays `values` and `counts` of a row have these kinds in this order, and within a kind one element for each of
 * `bases`. The view price-index.sql reads the same positions.
 */
const valueKinds = ['chained', 'geks', 'variance'] as const;
/** Relatives used and outliers excluded, compared with the linked period; products with a price. */
const countKinds = ['matched', 'outliers', 'priced'] as const;

/** Subscripts of the GEKS values. */
const geksValues = '[5:8]';

/** Index values have the base 100; null if there is none. */
const indexValue = (log: number): number | null => (Number.isNaN(log) ? null : 100 * Math.exp(log));
const logOf = (value: number | null): number => (value === null ? Number.NaN : Math.log(value / 100));
const numberOf = (value: number | null): number => value ?? Number.NaN;
const numberOrNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

/** Replaces the rows of a period. `nightsIn`: certified nights by start of a period; `derivedOn`: the last night. */
export async function writePeriod(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  indexed: IndexedPeriod,
  { nightsIn, derivedOn }: { readonly nightsIn: ReadonlyMap<string, number>; readonly derivedOn: string },
): Promise<void> {
  const { start: periodStart, baseStart, arrivals, departures, priced } = indexed;
  // By category, the leading key column, to avoid reading the whole table for one night.
  await tx.query(
    `delete from derived.price_index
     where region = $1 and period = $2 and category_key = any($3::int[]) and period_start = $4`,
    [region, period, groups.categoryKeys, periodStart],
  );
  const valuesOf = (c: number) =>
    valueKinds.flatMap((kind) =>
      bases.map((basis) => (kind === 'variance' ? numberOrNull : indexValue)(indexed[kind][basis][c]!)),
    );
  const counts = countKinds.flatMap((kind) => bases.map((basis) => indexed[kind][basis]));
  const rowOf = (categoryKey: number, c: number): typeof priceIndex.$inferInsert => ({
    ...{ region, period, categoryKey, periodStart, baseStart: baseStart[c]!, derivedOn },
    ...{ nights: nightsIn.get(periodStart)!, baseNights: nightsIn.get(baseStart[c]!)! },
    values: valuesOf(c) as number[],
    counts: counts.map((numbers) => numbers[c]!),
    arrivals: arrivals?.[c],
    departures: departures?.[c],
  });
  const rows = groups.categoryKeys.flatMap((key, c) => (priced.shelf[c] === 0 ? [] : [rowOf(key, c)]));
  await insertRows(tx, priceIndex, rows);
}

/** Writes what home departments add to the region's GEKS values of periods; JSON has null for NaN. */
export async function writeParts(
  tx: Transaction,
  { region, period, groups }: IndexOf,
  changed: Iterable<Pick<Published, 'start' | 'geks'>>,
): Promise<void> {
  const parts = [...changed].flatMap(({ start, geks }) =>
    groups.homes.map((c) => ({ start, key: groups.categoryKeys[c]!, log: geks.parts[c]! })),
  );
  await tx.query(
    `insert into derived.index_part (region, period, period_start, category_key, log)
     select $1, $2, start, key, log
     from jsonb_to_recordset($3) as part (start date, key int, log float8)
     where log is not null
     on conflict (region, period, period_start, category_key)
       do update set log = excluded.log where index_part.log <> excluded.log`,
    [region, period, JSON.stringify(parts)],
  );
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
    ...noValues(categories),
    priced: noCounts(categories),
  }));
  const periodOf = new Map(periods.map((each) => [each.start, each]));
  const placeOf = new Map(groups.categoryKeys.map((key, c) => [key, c]));
  // As JSON, because arrays of numbers are read much faster from it.
  const rows = await rowsOf<{ start: string; rows: PublishedRow[] }>(
    tx,
    `select period_start as start, json_agg(json_build_array(category_key, base_start, values, counts)) as rows
     from derived.price_index
     where region = $1 and period = $2 and category_key = any($3) and period_start = any($4::date[])
     group by period_start`,
    [region, period, groups.categoryKeys, starts],
  );
  for (const row of rows) {
    const { baseStart, chained, geks, variance, priced } = periodOf.get(row.start)!;
    for (const [key, base, values, counts] of row.rows) {
      const c = placeOf.get(key)!;
      baseStart[c] = base;
      for (const [b, basis] of bases.entries()) {
        const of = (kind: (typeof valueKinds)[number]) => values[valueKinds.indexOf(kind) * bases.length + b]!;
        chained[basis][c] = logOf(of('chained'));
        geks[basis][c] = logOf(of('geks'));
        variance[basis][c] = numberOf(of('variance'));
        priced[basis][c] = counts[countKinds.indexOf('priced') * bases.length + b]!;
      }
    }
  }
  const parts = await rowsOf<{ key: number; start: string; log: number }>(
    tx,
    `select category_key as key, period_start as start, log from derived.index_part
     where region = $1 and period = $2 and period_start = any ($3::date[])`,
    [region, period, starts],
  );
  // A department without a row has added nothing since the base.
  for (const { geks } of periods)
    if (!Number.isNaN(geks.shelf_adjusted[wholeRegion]!)) for (const c of groups.homes) geks.parts[c] = 0;
  for (const part of parts) {
    const c = placeOf.get(part.key);
    if (c !== undefined) periodOf.get(part.start)!.geks.parts[c] = part.log;
  }
  return periods;
}

type PublishedRow = readonly [key: number, base: string, values: readonly (number | null)[], counts: readonly number[]];
