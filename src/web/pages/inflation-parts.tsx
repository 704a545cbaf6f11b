import type { JSX } from 'preact';
import { columnsOf, type RowOf } from '../../questions/columns.ts';
import { contributions } from '../../questions/contributions.ts';
import type { priceIndex } from '../../questions/price-index.ts';
import { dateOf, datesBetween, dayOf } from '../charts/days.ts';
import { Spark, TwoWayBar } from '../charts/spark.tsx';
import { periodSegments } from '../charts/steps.ts';
import { type HrefWith, searchOf } from '../kernel/addresses.ts';
import type { Block, ParametersOf, Shown } from '../kernel/page.ts';
import { Card } from '../kernel/parts.tsx';
import { Table } from '../kernel/table.tsx';
import { dayAndMonth, longDate, nothing, percent, plural, text } from '../kernel/words.ts';

type Parameters = ParametersOf<typeof priceIndex>;
type Index = RowOf<typeof priceIndex>;
export type IndexBlock = Block<Index, Parameters>;

type Part = RowOf<typeof contributions>;

/** The region or the category, then its parts; and the names of the weeks or months that are compared, if any are. */
export async function partsOf(page: Shown<Index, Parameters>): Promise<{ parts: readonly Part[]; names: string[] }> {
  const { region, category, period = 'day' } = page.parameters;
  // Weeks and months have errors of their own; that of 7 nights would read all moves of a week.
  const names = contributions.columns.map(({ name }) => name);
  const columns = period === 'day' ? names : names.filter((name) => name !== 'change_7_error_pct');
  const asked = await page.of(contributions, { region: region[0], category });
  const { rows: parts } = await asked.rows({ limit: null, columns });
  if (period === 'day') return { parts, names: [] };
  const moreKeys = parts.flatMap(({ category_key: key }) => key ?? []);
  const { rows } = await page.rows({ limit: null, given: { moreKeys } as never });
  // A week of one night does not compare with one of seven.
  const complete = rows.filter(({ is_complete }) => is_complete);
  const compared = new Set(complete.map(({ period_start }) => period_start)).size < 2 ? rows : complete;
  const seriesOf = ({ region: of, category_key: key }: Part) =>
    compared.filter((row) => row.region === of && row.category_key === key && row.value !== null);
  const [whole, ...others] = parts.map((part): Part => {
    const series = seriesOf(part);
    const history = JSON.stringify(series.map((row) => [row.period_start, Number(row.value)]));
    const change_30_pct = series.at(-1)?.change_pct ?? null;
    return { ...part, history, change_30_pct, change_first_pct: null, change_error_pct: errorOf(series) };
  });
  // Products without a department have no key, and no index.
  const known = others.filter(({ category_key: key }) => key !== null);
  known.sort((one, other) => Number(other.change_30_pct) - Number(one.change_30_pct));
  return { parts: whole ? [whole, ...known] : [], names: whole ? seriesOf(whole).slice(-2).map(nameOfPeriod) : [] };
}

/** Two standard errors of the last change of a series, in percent; null if they are unknown. */
function errorOf(series: readonly Index[]): string | null {
  const [before, last] = series.slice(-2);
  const variance = (row: Index | undefined) => (Number(row?.plus_minus ?? Number.NaN) / Number(row?.value)) ** 2;
  const ratio = Number(last?.value) / Number(before?.value);
  const error = 100 * ratio * Math.sqrt(variance(last) - variance(before));
  return error > 0 ? String(error) : null;
}

/** `October 2026 (14 nights)`: a night, week or month, with the number of its nights if not all are known. */
export function nameOfPeriod({ period, period_start: start, is_complete, nights }: Index): string {
  const date = period === 'month' ? longDate(start).replace(/^\d+ /, '') : longDate(start);
  const name = period === 'week' ? `the week of ${date}` : date;
  return is_complete ? name : `${name} (${plural(nights!, 'night')})`;
}

export const nameOf = ({ category_path }: Part) => text(category_path?.split(' > ').at(-1) ?? 'Everything');

/** Change of a month or, in a younger book, of all its nights; percent. */
export const monthOf = (row: Part) => row.change_30_pct ?? row.change_first_pct;

const isBeyond = (change: string | null, error: string | null) =>
  error !== null && Math.abs(Number(change)) > Number(error);

/** Whether that change is beyond two standard errors. */
export const isClear = (row: Part): boolean => isBeyond(monthOf(row), row.change_error_pct);

/** `Prices in Ireland are 0.3% ±0.2 higher than a month ago`, or than in the first of two periods with names. */
export function movedWords(prices: string, of: Part | undefined, [from, to]: readonly string[] = []): string {
  const known = of ? monthOf(of) : null;
  if (of?.new_basis_since && known === null) return `${prices}: ${newBasis(of.new_basis_since)}`;
  if (!of || known === null) return `${prices}, by night`;
  const first = dayAndMonth(of.first_night!);
  const [since, ago] = to
    ? [`since ${from}`, `in ${from}`]
    : of.change_30_pct === null
      ? [`since ${first}`, `on ${first}`]
      : ['in a month', 'a month ago'];
  const [change, error] = withError(known, of.change_error_pct);
  if (!isClear(of)) return `${prices} show no clear change ${since}: ${change}${error}`;
  return `${prices} are ${change.slice(1)}${error} ${Number(known) > 0 ? 'higher' : 'lower'} than ${ago}`;
}

/** `+0.4%` and ` ±0.3`, two standard errors; with two decimals if one would not tell which is larger. */
function withError(change: string, error: string | null): [string, string] {
  if (error === null) return [percent(change), ' ± unknown'];
  const isClose = Math.abs(Number(change)).toFixed(1) === Number(error).toFixed(1);
  return [isClose ? `${exact(change)}%` : percent(change), ` ±${Number(error).toFixed(isClose ? 2 : 1)}`];
}

/** Why a change is unknown: values before this date are of other products. */
export const newBasis = (date: string) => `new basis since ${longDate(date)}`;

/** Periods in which a line begins again at 100, so that nothing connects it with the period before. */
export const restarts = (rows: readonly { readonly period_start: string; readonly base_start: string }[]) =>
  new Set(rows.filter((row, i) => i > 0 && row.base_start !== rows[i - 1]!.base_start).map((row) => row.period_start));

/** Rows of parts that contribute, the largest contribution first; the first row is the whole. */
const ranked = ([, ...rows]: readonly Part[]) =>
  rows
    .filter(({ contribution_points: points }) => points !== null)
    .toSorted((one, other) => Number(other.contribution_points) - Number(one.contribution_points));

/** `+0.17`. */
function exact(value: unknown): string {
  const size = Number(value).toFixed(2);
  return Number(size) === 0 ? '0.00' : size.startsWith('-') ? size.replace('-', '−') : `+${size}`;
}

/** All departments, or the parts of a category: small chart and changes. */
export const departments: IndexBlock = async (shown) => {
  const { parameters, hrefWith } = shown;
  const { region, category, also, period } = parameters;
  const { parts: rows, names } = await partsOf(shown);
  const [[whole], [from, to]] = [rows, names];
  if (!whole) return <p class="none">There is no index yet: it needs complete nights.</p>;
  const contributing = ranked(rows);
  const widest = Math.max(...contributing.map((row) => Math.abs(Number(row.contribution_points))));
  // A young book has no month; contributions are known of departments, in nights.
  const month = rows.some((row) => row.change_30_pct !== null) ? 'change_30_pct' : 'change_first_pct';
  const added = contributing.length > 0 ? (['contribution_points'] as const) : [];
  const inNights = ['change_7_pct', month, 'change_91_pct', ...added, 'matched_products'];
  const columns = columnsOf(contributions, 'category_path', 'history', ...(to ? [month] : inNights));
  const movers = `/movers${searchOf({ region: region[0], category, period: 'month' })}`;
  const caption = `${category === undefined ? 'By department' : 'Its parts'}${to ? `, ${to}` : ''}`;
  return (
    <Card title={caption} aside={<a href={movers}>Products that moved most</a>}>
      <Table
        caption={caption}
        columns={columns.map((one) => (to && one.name === month ? { ...one, heading: `Since ${from}` } : one))}
        rows={rows}
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
          change_30_pct: (row) => <Monthly of={row} value={row.change_30_pct} />,
          change_first_pct: (row) => <Monthly of={row} value={row.change_first_pct} />,
          contribution_points: (row) => (
            <>
              {row !== whole && row.contribution_points !== null && widest > 0 && (
                <TwoWayBar share={Number(row.contribution_points) / widest} isClear={isClear(row)} />
              )}
              <span class="figure">{row.contribution_points === null ? nothing : exact(row.contribution_points)}</span>
            </>
          ),
        }}
      />
      <p class="quiet">
        {'Open a name to see its parts, or tick it to add its line to the chart. '}
        {'±: two standard errors; a smaller change is not clear and has no colour. '}
        {!to &&
          added.length === 0 &&
          whole.contribution_points !== null &&
          `Together they added ${exact(whole.contribution_points)} points to the change of all prices.`}
        {!to &&
          category === undefined &&
          'The contributions add up to the change of everything, because each product contributes to one department, ' +
            'its home. The products need not: a line has all of its department, and some are in two.'}
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
function Moved({ by, error }: { by: string | null; error: string | null }): JSX.Element {
  if (by === null) return <>{nothing}</>;
  const [change, size] = withError(by, error);
  return (
    <>
      <span class={isBeyond(by, error) ? (Number(by) > 0 ? 'up' : 'down') : undefined}>{change}</span>
      <small>{size}</small>
    </>
  );
}

/** A change of 30 nights or of all of them, with its error if it is the one that has it. */
export const Monthly = ({ of: row, value }: { of: Part; value: string | null }) =>
  value === null || value === monthOf(row) ? <Moved by={value} error={row.change_error_pct} /> : percent(value);

function IndexLine({ of: row, period = 'day' }: { of: Part; period: Parameters['period'] }) {
  const values = JSON.parse(row.history ?? '[]') as [string, number][];
  if (values.length === 0) return null;
  const [first, last] = [values[0]![0], values.at(-1)![0]];
  const periods = period === 'day' ? datesBetween(first, last) : values.map(([start]) => start);
  const end = dateOf(dayOf(last) + { day: 1, week: 7, month: 30 }[period]);
  const { axis, series } = periodSegments(periods, end, [{ values: new Map(values) }]);
  return <Spark axis={axis} segments={series[0]!} span={0.02} change={isClear(row) ? Number(monthOf(row)) : 0} />;
}
