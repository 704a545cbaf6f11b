import type { CategoryGroups } from './category-groups.ts';
import { type Column, packColumns, unpackColumns } from './packed-columns.ts';
import { bases, type ComparedPeriod } from './panel.ts';
import type { LogJevons, WindowPeriod } from './price-index.ts';
import { createSums, type RelativeSums } from './relatives.ts';

interface Header {
  readonly categoryKeys: readonly number[];
  /** Starts of the periods compared with. */
  readonly periods: readonly string[];
}

/** A period's figures by category, and how it compares with those before it. */
export interface PeriodFigures extends Pick<ComparedPeriod, 'priced' | 'priceSum'>, Pick<WindowPeriod, 'since'> {}

export function packFigures(
  { priced, priceSum, since }: PeriodFigures,
  { categoryKeys }: Pick<CategoryGroups, 'categoryKeys'>,
): Promise<Buffer> {
  return packColumns({ categoryKeys, periods: [...since.keys()] } satisfies Header, [
    priced,
    ...bases.map((basis) => priceSum[basis]),
    ...[...since.values()].flatMap((log) => bases.map((basis) => log[basis])),
  ]);
}

/** A category that has come since has none of it. */
export function unpackFigures(packed: Buffer, groups: CategoryGroups): PeriodFigures {
  const { header, columns } = unpackColumns<Header>(packed);
  const place = placeOf(header, groups);
  const size = groups.categoryKeys.length;
  const amounts = (column: Column, none: number) => place(new Float64Array(size).fill(none), column);
  return {
    priced: place(new Int32Array(size), columns[0]!),
    priceSum: { shelf: amounts(columns[1]!, 0), member: amounts(columns[2]!, 0) },
    since: new Map(
      header.periods.map((start, n): [string, LogJevons] => {
        const [shelf, member] = [columns[3 + 2 * n]!, columns[4 + 2 * n]!];
        return [start, { shelf: amounts(shelf, Number.NaN), member: amounts(member, Number.NaN) }];
      }),
    ),
  };
}

/** The sums of the comparisons with the latest period, from which they go on. */
export function packComparisons(
  sums: ReadonlyMap<string, RelativeSums>,
  { categoryKeys }: Pick<CategoryGroups, 'categoryKeys'>,
): Promise<Buffer> {
  const header: Header = { categoryKeys, periods: [...sums.keys()] };
  return packColumns(header, [...sums.values()].flatMap(columnsOf));
}

export function unpackComparisons(packed: Buffer, groups: CategoryGroups): Map<string, RelativeSums> {
  const { header, columns } = unpackColumns<Header>(packed);
  const place = placeOf(header, groups);
  let next = 0;
  return new Map(
    header.periods.map((start) => {
      const sums = createSums(groups.categoryKeys.length);
      for (const column of columnsOf(sums)) place(column, columns[next++]!);
      return [start, sums];
    }),
  );
}

const columnsOf = ({ both, shelf, member }: RelativeSums): (Int32Array | Float64Array)[] => [
  both,
  ...[shelf, member].flatMap(({ matched, coarse, fine }) => [matched, coarse, fine]),
];

/** Categories may have other numbers by now. */
function placeOf({ categoryKeys }: Header, groups: CategoryGroups) {
  const numberOf = new Map(groups.categoryKeys.map((key, number) => [key, number]));
  const numbers = categoryKeys.map((key) => numberOf.get(key));
  return <Into extends Int32Array | Float64Array>(into: Into, column: Column): Into => {
    for (const [c, number] of numbers.entries()) if (number !== undefined) into[number] = column[c]!;
    return into;
  };
}
