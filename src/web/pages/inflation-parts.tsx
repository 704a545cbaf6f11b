import type { JSX } from 'preact';
import { columnsOf, type RowOf } from '../../questions/columns.ts';
import { contributions } from '../../questions/contributions.ts';
import type { priceIndex } from '../../questions/price-index.ts';
import { dateOf, datesBetween, dayOf } from '../charts/days.ts';
import { Spark } from '../charts/spark.tsx';
import { periodSegments } from '../charts/steps.ts';
import { type HrefWith, searchOf } from '../kernel/addresses.ts';
import type { Block, ParametersOf, Shown } from '../kernel/page.ts';
import { Card } from '../kernel/parts.tsx';
import { Table } from '../kernel/table.tsx';
import { dayAndMonth, exact, longDate, nothing, plural, text } from '../kernel/words.ts';

type Parameters = ParametersOf<typeof priceIndex>;
type Index = RowOf<typeof priceIndex>;
export type IndexBlock = Block<Index, Parameters>;

type Part = RowOf<typeof contributions>;

/** The region or the category, then its parts; and the names of two periods, if their values are compared. */
export async function partsOf(page: Shown<Index, Parameters>): Promise<{ parts: readonly Part[]; names: string[] }> {
  const { region, category, period = 'day', basis } = page.parameters;
  const isDaily = period === 'day' && basis === 'shelf_adjusted';
  // Weeks, months and other prices have errors of their own; that of 7 nights would read all moves of a week.
  const names = contributions.columns.map(({ name }) => name);
  const columns = isDaily ? names : names.filter((name) => name !== 'change_7_error_pct');
  const asked = await page.of(contributions, { region: region[0], category });
  const { rows: parts } = await asked.rows({ limit: null, columns });
  if (isDaily) return { parts, names: [] };
  const moreKeys = parts.flatMap(({ category_key: key }) => key ?? []);
  const { rows } = await page.rows({ limit: null, given: { moreKeys } as never });
  const seriesOf = ({ region: of, category_key: key }: Part) =>
    rows.filter((row) => row.region === of && row.category_key === key && row.value !== null);
  const [whole, ...others] = parts.map((part): Part => {
    const series = seriesOf(part);
    const history = JSON.stringify(series.map((row) => [row.period_start, Number(row.value)]));
    const none = { change_7_pct: null, change_30_pct: null, change_91_pct: null, contribution_points: null };
    return { ...part, ...none, history, ...(period === 'day' ? changeIn30(series) : changeOf(lastOf(series))) };
  });
  // Products without a department have no key, and no index.
  const known = others.filter(({ category_key: key }) => key !== null);
  known.sort((one, other) => Number(monthOf(other)) - Number(monthOf(one)));
  const last = whole && period !== 'day' && lastOf(seriesOf(whole));
  return { parts: whole ? [whole, ...known] : [], names: last ? [baseOf(last, rows), nameOfPeriod(last)] : [] };
}

/** The last period, or the last complete one: a week of one night does not compare with one of seven. */
export const lastOf = (series: readonly Index[]): Index | undefined =>
  series.findLast((row) => row.is_complete && row.period_start !== row.base_start) ?? series.at(-1);

/** How far a period is from the base, in percent, and two standard errors of it, which are known from there only. */
export const changeOf = (row: Index | undefined) => ({
  change_first_pct: !row?.value || row.period_start === row.base_start ? null : String(Number(row.value) - 100),
  change_error_pct: Number(row?.plus_minus) > 0 ? row!.plus_minus : null,
});

/** The change in 30 nights and two standard errors of it, as of the usual prices; in a younger index since its base. */
function changeIn30(series: readonly Index[]) {
  const last = series.at(-1);
  const reach = last && dateOf(dayOf(last.period_start) - 30);
  const before = series.findLast((row) => row.period_start <= reach! && row.base_start === last!.base_start);
  if (!last || !before) return changeOf(last);
  const [now, then] = [last, before].map(({ value, plus_minus: size }) => ({
    value: Number(value),
    error: size === null ? Number.NaN : Number(size) / Number(value),
  }));
  const error = 100 * (now!.value / then!.value) * Math.sqrt(now!.error ** 2 - then!.error ** 2);
  const change = String(100 * (now!.value / then!.value - 1));
  return { change_30_pct: change, change_error_pct: error > 0 ? error.toFixed(2) : null };
}

/** Name of the period in which an index is 100. */
export const baseOf = (row: Index, rows: readonly Index[]): string =>
  nameOfPeriod(
    rows.find(({ period_start }) => period_start === row.base_start) ?? {
      ...row,
      period_start: row.base_start,
      is_complete: true,
    },
  );

/** `October 2026 (14 nights)`: a night, week or month, with the number of its nights if not all are known. */
export function nameOfPeriod({ period, period_start: start, is_complete, nights }: Index): string {
  const date = period === 'month' ? longDate(start).replace(/^\d+ /, '') : longDate(start);
  const name = period === 'week' ? `the week of ${date}` : date;
  return is_complete ? name : `${name} (${plural(nights!, 'night')})`;
}

export const nameOf = ({ category_path }: Part) => text(category_path?.split(' > ').at(-1) ?? 'Everything');

/** Change of a month or, in a younger book, of all its nights; percent. */
export const monthOf = (row: Part) => row.change_30_pct ?? row.change_first_pct;

/** By the digits that are shown, so that a reader sees what decides. */
const isBeyond = (change: string | null, error: string | null): boolean =>
  error !== null && Number(Math.abs(Number(change)).toFixed(2)) > Number(Number(error).toFixed(2));

/** Whether that change is beyond two standard errors. */
export const isClear = (row: Part): boolean => isBeyond(monthOf(row), row.change_error_pct);

/** `Prices in Ireland are 0.31% ±0.21 higher than 30 nights ago`, or than in the first of two periods with names. */
export function movedWords(prices: string, of: Part | undefined, [from, to]: readonly string[] = []): string {
  const known = of ? monthOf(of) : null;
  if (of?.new_basis_since && known === null) return `${prices}: ${newBasis(of.new_basis_since)}`;
  if (!of || known === null) return `${prices}, by night`;
  const first = dayAndMonth(of.first_night!);
  const [since, ago] = to
    ? [`since ${from}`, timeOf(from!)]
    : of.change_30_pct === null
      ? [`since ${first}`, `on ${first}`]
      : ['in 30 nights', '30 nights ago'];
  const [change, error] = withError(known, of.change_error_pct);
  if (!isClear(of)) return `${prices} show no clear change ${since}: ${change}${error}`;
  return `${prices} are ${change.slice(1)}${error} ${Number(known) > 0 ? 'higher' : 'lower'} than ${ago}`;
}

/** `on 1 October 2026`, `in October 2026`. */
export const timeOf = (name: string): string => `${/^\d/.test(name) ? 'on' : 'in'} ${name}`;

/** `+0.42%` and ` ±0.31`, two standard errors. */
export const withError = (change: string, error: string | null): [string, string] => [
  `${exact(change)}%`,
  error === null ? ' ± unknown' : ` ±${Number(error).toFixed(2)}`,
];

/** Why a change is unknown: values before this date are of other products. */
export const newBasis = (date: string) => `new basis since ${longDate(date)}`;

/** Periods in which a line begins again at 100, so that nothing connects it with the period before. */
export const restarts = (rows: readonly { readonly period_start: string; readonly base_start: string }[]) =>
  new Set(rows.filter((row, i) => i > 0 && row.base_start !== rows[i - 1]!.base_start).map((row) => row.period_start));

/** All departments, or the parts of a category: small chart and changes. */
export const departments: IndexBlock = async (shown) => {
  const { parameters, hrefWith } = shown;
  const { region, category, also, period } = parameters;
  const { parts: rows, names } = await partsOf(shown);
  const [[whole], [from, to]] = [rows, names];
  if (!whole) return <p class="none">There is no index yet: it needs complete nights.</p>;
  // A young book has no month; contributions are known of departments, in nights.
  const month = rows.some((row) => row.change_30_pct !== null) ? 'change_30_pct' : 'change_first_pct';
  const points = category === undefined ? ['contribution_points'] : [];
  const inNights = ['change_7_pct', month, 'change_91_pct', ...points, 'matched_products'];
  const columns = columnsOf(contributions, 'category_path', 'history', ...(to ? [month] : inNights));
  const movers = `/movers${searchOf({ region: region[0], category, period: 'month' })}`;
  const order = whole.contribution_points === null || category !== undefined ? '' : ', largest contribution first';
  const caption = `${category === undefined ? 'By department' : 'Its parts'}${to ? `, ${to}` : order}`;
  return (
    <Card title={caption} aside={<a href={movers}>Products that moved most</a>}>
      <Table
        caption={caption}
        columns={columns.map((one) => (to && one.name === month ? { ...one, heading: `Since ${from}` } : one))}
        rows={rows}
        onPhone={['category_path', month, ...points]}
        cells={{
          category_path: (row) => (
            <>
              {row === whole ? (
                <strong>Everything{category && ' in it'}</strong>
              ) : (
                <PartName of={row} also={also} hrefWith={hrefWith} />
              )}
              {row.shelf !== null && <small> {row.shelf} shelf: its products count elsewhere</small>}
              {row.new_basis_since !== null && <small> {newBasis(row.new_basis_since)}</small>}
            </>
          ),
          history: (row) => <IndexLine of={row} period={period} />,
          change_7_pct: (row) => <Moved by={row.change_7_pct} error={row.change_7_error_pct} />,
          change_91_pct: (row) => <Moved by={row.change_91_pct} error={row.change_91_error_pct} />,
          [month]: (row: Part) => <Moved by={row[month]} error={row.change_error_pct} />,
          contribution_points: ({ contribution_points: points }) => (points === null ? nothing : exact(points)),
        }}
      />
      <p class="quiet">
        {'Open a name to see its parts, or tick it to add its line to the chart. '}
        {'±: two standard errors. A change within them may be chance and is not coloured. '}
        {rows.some(({ change_error_pct: error }) => error === null) &&
          'Unknown: too few prices moved, or they moved back. '}
        {rows.some((row) => row !== whole && row.contribution_points !== null) &&
          category === undefined &&
          'The contributions add up to the change of everything. The products do not: some are in two departments, ' +
            'and contribute to one of them.'}
      </p>
    </Card>
  );
};

/** Name of a category, which leads to its parts, and a tick for its line in the chart (`also`). */
function PartName(props: { of: Part; also: string | undefined; hrefWith: HrefWith }): JSX.Element {
  const { of: row, also, hrefWith } = props;
  const id = row.category_id!;
  const ids = also?.split('|').filter((one) => one !== '') ?? [];
  const isAdded = ids.includes(id);
  const others = isAdded ? ids.filter((one) => one !== id) : [...ids, id];
  const name = nameOf(row);
  return (
    <span class="part">
      <a
        class="add-line"
        href={hrefWith({ also: others.join('|') })}
        aria-current={isAdded ? 'true' : undefined}
        aria-label={isAdded ? `Remove the line of ${name}` : `Add the line of ${name} to the chart`}
      >
        {isAdded ? '☑' : '☐'}
      </a>
      <a class="name" href={hrefWith({ category: id, also: null })}>
        {name}
      </a>
    </span>
  );
}

/** A change with its error; without colour if it is not clear. */
export function Moved({ by, error }: { by: string | null; error: string | null }): JSX.Element {
  if (by === null) return <>{nothing}</>;
  const [change, size] = withError(by, error);
  return (
    <>
      <span class={isBeyond(by, error) ? (Number(by) > 0 ? 'up' : 'down') : undefined}>{change}</span>
      <small>{size}</small>
    </>
  );
}

function IndexLine({ of: row, period = 'day' }: { of: Part; period: Parameters['period'] }) {
  const all = JSON.parse(row.history ?? '[]') as [string, number][];
  // As long as the change that gives the colour.
  const values = row.change_30_pct === null ? all : all.slice(-31);
  if (values.length === 0) return null;
  const [first, last] = [values[0]![0], values.at(-1)![0]];
  const periods = period === 'day' ? datesBetween(first, last) : values.map(([start]) => start);
  const end = dateOf(dayOf(last) + { day: 1, week: 7, month: 30 }[period]);
  const { axis, series } = periodSegments(periods, end, [{ values: new Map(values) }]);
  return <Spark axis={axis} segments={series[0]!} span={0.02} change={isClear(row) ? Number(monthOf(row)) : 0} />;
}
