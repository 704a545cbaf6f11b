import type { Askable, Transaction } from '../db/client.ts';
import { rowsOf } from '../db/rows.ts';
import type { RegionCode } from '../model/index.ts';
import type { CategoryGroups } from './category-groups.ts';
import type { IndexedPeriod, Published } from './indexed-period.ts';
import type { Period } from './period.ts';
import { type Cell, copyRows } from './write-figures.ts';

const columns = [
  'region',
  'period',
  'category_key',
  'period_start',
  'base_start',
  'chained_shelf',
  'chained_member',
  'fixed_shelf',
  'fixed_member',
  'geks_shelf',
  'geks_member',
  'mean_shelf',
  'mean_member',
  'priced',
  'matched_shelf',
  'matched_member',
  'outliers_shelf',
  'outliers_member',
  'fixed_matched_shelf',
  'fixed_matched_member',
  'arrivals',
  'departures',
  'derived_on',
] as const;

/** Whose index is written, and by which derivation: the last of its nights. */
export interface WrittenIndex {
  readonly region: RegionCode;
  readonly period: Period;
  readonly derivedOn: string;
}

/** From a logarithm to an index value with 100 in the base period. */
const indexValue = (log: number | undefined): number | null =>
  log === undefined || Number.isNaN(log) ? null : 100 * Math.exp(log);

const logOf = (value: number | null): number => (value === null ? Number.NaN : Math.log(value / 100));

/** Puts periods in the place of what was kept of them. */
export async function writePeriods(
  tx: Transaction,
  { region, period, derivedOn }: WrittenIndex,
  indexed: readonly IndexedPeriod[],
  groups: CategoryGroups,
): Promise<void> {
  // By category, as the key is: the table is never read through for one night.
  await tx.query(
    `delete from derived.price_index
     where region = $1 and period = $2 and category_key = any($3::int[]) and period_start = any($4::date[])`,
    [region, period, groups.categoryKeys, indexed.map(({ start }) => start)],
  );
  await copyRows(tx, 'price_index', columns, rowsOfPeriods({ region, period, derivedOn }, indexed, groups));
}

function* rowsOfPeriods(
  { region, period, derivedOn }: WrittenIndex,
  indexed: readonly IndexedPeriod[],
  groups: CategoryGroups,
): Generator<readonly Cell[]> {
  for (const each of indexed) {
    for (const [c, key] of groups.categoryKeys.entries()) {
      if (each.priced[c] === 0) continue;
      yield [
        region,
        period,
        key,
        each.start,
        each.baseStart[c]!,
        indexValue(each.chained.shelf[c]),
        indexValue(each.chained.member[c]),
        indexValue(each.fixed.shelf[c]),
        indexValue(each.fixed.member[c]),
        indexValue(each.geks.shelf[c]),
        indexValue(each.geks.member[c]),
        indexValue(each.mean.shelf[c]),
        indexValue(each.mean.member[c]),
        each.priced[c]!,
        each.matched.shelf[c]!,
        each.matched.member[c]!,
        each.outliers.shelf[c]!,
        each.outliers.member[c]!,
        each.fixedMatched.shelf[c]!,
        each.fixedMatched.member[c]!,
        each.arrivals ? each.arrivals[c]! : null,
        each.departures ? each.departures[c]! : null,
        derivedOn,
      ];
    }
  }
}

/** Writes the GEKS values of periods that a longer book has revised. */
export async function writeRevisions(
  tx: Transaction,
  { region, period, derivedOn }: WrittenIndex,
  revised: readonly Published[],
  groups: CategoryGroups,
): Promise<void> {
  for (const { start, geks, baseStart } of revised) {
    const present = groups.categoryKeys.flatMap((key, c) => (baseStart[c] ? [{ key, c }] : []));
    await tx.query(
      `update derived.price_index i
       set geks_shelf = value.shelf, geks_member = value.member, derived_on = $7
       from unnest($4::int[], $5::float8[], $6::float8[]) as value (category_key, shelf, member)
       where i.region = $1 and i.period = $2 and i.period_start = $3 and i.category_key = value.category_key
         and (i.geks_shelf, i.geks_member) is distinct from (value.shelf, value.member)`,
      [
        region,
        period,
        start,
        present.map(({ key }) => key),
        present.map(({ c }) => indexValue(geks.shelf[c])),
        present.map(({ c }) => indexValue(geks.member[c])),
        derivedOn,
      ],
    );
  }
}

/** What was published of periods, by their starts and by dense category number. */
export async function readPublished(
  sql: Askable,
  region: RegionCode,
  period: Period,
  starts: readonly string[],
  groups: CategoryGroups,
): Promise<Map<string, Published>> {
  const rows = await rowsOf<
    { key: number; start: string; baseStart: string } & Record<
      'chained' | 'chainedMember' | 'geks' | 'geksMember',
      number | null
    >
  >(
    sql,
    `select category_key as key, period_start as start, base_start as "baseStart", chained_shelf as chained,
       chained_member as "chainedMember", geks_shelf as geks, geks_member as "geksMember"
     from derived.price_index
     where region = $1 and period = $2 and category_key = any($3::int[]) and period_start = any($4::date[])`,
    [region, period, groups.categoryKeys, starts],
  );
  const none = () => new Float64Array(groups.categoryKeys.length).fill(Number.NaN);
  const published = new Map(
    starts.map((start) => [
      start,
      {
        start,
        chained: { shelf: none(), member: none() },
        geks: { shelf: none(), member: none() },
        baseStart: new Array<string>(groups.categoryKeys.length).fill(''),
      },
    ]),
  );
  const numberOf = new Map(groups.categoryKeys.map((key, c) => [key, c]));
  for (const row of rows) {
    const c = numberOf.get(row.key)!;
    const { baseStart, chained, geks } = published.get(row.start)!;
    baseStart[c] = row.baseStart;
    chained.shelf[c] = logOf(row.chained);
    chained.member[c] = logOf(row.chainedMember);
    geks.shelf[c] = logOf(row.geks);
    geks.member[c] = logOf(row.geksMember);
  }
  return published;
}
