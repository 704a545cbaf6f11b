import type { Column } from '../../questions/columns.ts';
import { named, type Sql, sql } from '../../questions/sql.ts';
import { Key } from '../charts/drawing.tsx';
import { Bar, Columns } from '../charts/spark.tsx';
import type { Block, Counted, Shown } from './page.ts';
import { Card } from './parts.tsx';
import { Table } from './table.tsx';
import { dayAndMonth, number } from './words.ts';

/** Rows that have a column of this name. */
type Having<Name extends string> = Readonly<Record<Name, string | null>>;

/** A value of the column, in the order of the chart; null is `''`. */
export interface Kind {
  readonly value: string;
  readonly name: string;
  /** Class of its bar. */
  readonly fill: string;
}

interface ColumnsOptions<Row, Parameters> {
  readonly title: string;
  readonly aside?: string | ((parameters: Parameters) => string);
  readonly kinds: readonly Kind[];
  /** By default, the numbers of rows by the column. */
  counts?(page: Shown<Row, Parameters>): Promise<readonly Counted[]>;
  /** Whether dates, with which values begin, are the columns. */
  readonly byDate?: true;
}

export const sumOf = (counts: readonly Counted[]) => counts.reduce((sum, { all_rows }) => sum + all_rows, 0);
const countOf = (counts: readonly Counted[], of: string) => sumOf(counts.filter(({ value }) => (value ?? '') === of));

/** Counts of the rows by kind, as columns beside each other, or by date; nothing if all are of one kind. */
export const columns =
  <Name extends string, Parameters>(
    column: Name,
    options: ColumnsOptions<Having<Name>, Parameters>,
  ): Block<Having<Name>, Parameters> =>
  async (page) => {
    const { title, aside, kinds, byDate } = options;
    const counts = await (options.counts?.(page) ?? page.countBy(named(column)));
    const dates = [...new Set(counts.map(({ value }) => (value ?? '').slice(0, 'YYYY-MM-DD'.length)))].sort();
    const groups = byDate
      ? dates.map((date) => ({ name: dayAndMonth(date), date, of: kinds }))
      : kinds.map((kind) => ({ name: kind.name, date: '', of: [kind] }));
    const shown = groups.map(({ name, date, of }) => {
      const parts = of.map(({ fill, value }) => ({ kind: fill, value: countOf(counts, date + value) }));
      return { name, parts, sum: parts.reduce((sum, { value }) => sum + value, 0) };
    });
    if (shown.filter(({ sum }) => sum > 0).length < 2) return null;
    const isFound = ({ fill }: Kind) =>
      shown.some(({ parts }) => parts.some((one) => one.kind === fill && one.value > 0));
    return (
      <Card title={title} aside={typeof aside === 'function' ? aside(page.parameters) : aside}>
        {byDate && <Key of={kinds.filter(isFound).map(({ name, fill }) => [name, sampleOf(fill)])} />}
        <Columns
          {...{ id: `columns-${column}`, title, columns: shown }}
          description={shown.map(({ name, sum }) => `${name}: ${sum}`).join(', ')}
        />
      </Card>
    );
  };

export const sampleOf = (fill: string) => <rect class={`fill ${fill}`} width="24" height="12" rx="2" />;

/** Kinds of a percentage, a float8, by its distance from zero, falls first. */
export function spread(of: Sql, steps: readonly number[]): { readonly kinds: Kind[]; readonly by: Sql } {
  const kindOf = (step: number, side: -1 | 1): Kind => {
    const [from = 0, to] = steps.slice(step - 1);
    const sign = side > 0 ? '+' : '−';
    const name = from === 0 ? `0 to ${sign}${to}%` : `${sign}${from} to ${sign}${to}%`;
    return {
      value: String(side * step),
      name: to === undefined ? `${side > 0 ? '≥' : '≤'} ${sign}${from}%` : name,
      fill: side > 0 ? 'up' : 'down',
    };
  };
  const places = steps.map((_, i) => i + 1);
  return {
    kinds: [
      ...[...places].reverse().map((step) => kindOf(step, -1)),
      ...(steps[0] === 0 ? [] : [{ value: '0', name: `within ${steps[0]}%`, fill: 'kept' }]),
      ...places.map((step) => kindOf(step, 1)),
    ],
    by: sql`(nullif(sign(${of}), 0) * width_bucket(abs(${of}), ${[...steps]}::float8[]))::int::text`,
  };
}

interface BreakdownOptions<Row, Parameters, Figure extends string> {
  readonly title: string;
  readonly heading: string;
  /** By default, the numbers of rows by the column. */
  counts?(page: Shown<Row, Parameters>): Promise<readonly (Counted & Readonly<Record<NoInfer<Figure>, unknown>>)[]>;
  /** These values in this order, with a bar for the share of each; by default those of the rows, most first. */
  readonly kinds?: readonly Kind[];
  /** Headings of the figures that are counted. */
  readonly figures?: Readonly<Record<Figure, readonly [heading: string, as?: 'percent']>>;
  /** The figure that orders the values, the largest first; values without it are left out. */
  readonly order?: NoInfer<Figure>;
  readonly remark?: string;
}

/** A table of the rows by a column: their number, or other figures. */
export const breakdown =
  <Name extends string, Parameters, Figure extends string = never>(
    column: Name,
    options: BreakdownOptions<Having<Name>, Parameters, Figure>,
  ): Block<Having<Name>, Parameters> =>
  async (page) => {
    const { title, heading, kinds, order = 'all_rows', remark } = options;
    const figures = Object.entries<readonly [string, 'percent'?]>(options.figures ?? {});
    const found = (await (options.counts?.(page) ?? page.countBy(named(column)))) as readonly (Counted &
      Readonly<Record<string, number | null>>)[];
    const all = sumOf(found);
    const rows = kinds
      ? kinds
          .map((kind) => ({ all_rows: 0, ...found.find(({ value }) => (value ?? '') === kind.value), ...kind }))
          .filter(({ all_rows }) => all_rows > 0)
      : found
          .filter((row) => row[order] !== null)
          .toSorted((one, other) => other[order]! - one[order]!)
          .map(({ value, ...row }) => ({ ...row, fill: '', name: value ?? 'none', value: value ?? '' }));
    const most = Math.max(...rows.map(({ all_rows }) => all_rows));
    // A comparison needs two.
    if (all === 0 || rows.length < (options.order ? 2 : 1)) return null;
    return (
      <Card title={title} aside={kinds && `${number(all)} in all`}>
        <Table
          caption={title}
          columns={[
            { name: 'name', heading },
            ...(kinds ? [{ name: 'all_rows', heading: 'Number', as: 'number' as const }] : []),
            ...figures.map(([name, [each, as]]): Column => ({ name, heading: each, as: as ?? 'number' })),
          ]}
          rows={rows}
          cells={{
            all_rows: (kind) => (
              <>
                <Bar share={kind.all_rows / most} kind={kind.fill} />
                <span class="figure">{number(kind.all_rows)}</span>
              </>
            ),
          }}
        />
        {remark && <p class="quiet">{remark}</p>}
      </Card>
    );
  };
