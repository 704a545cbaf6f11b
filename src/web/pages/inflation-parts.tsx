import type { JSX } from 'preact';
import { columnsOf, type RowOf } from '../../questions/columns.ts';
import { contributions } from '../../questions/contributions.ts';
import type { priceIndex } from '../../questions/price-index.ts';
import { datesBetween } from '../charts/days.ts';
import { Spark, TwoWayBar } from '../charts/spark.tsx';
import { periodSegments } from '../charts/steps.ts';
import { type HrefWith, searchOf } from '../kernel/addresses.ts';
import type { Block, ParametersOf, Shown } from '../kernel/page.ts';
import { Card } from '../kernel/parts.tsx';
import { Table } from '../kernel/table.tsx';
import { longDate, nothing, percent, text } from '../kernel/words.ts';

type Parameters = ParametersOf<typeof priceIndex>;
export type IndexBlock = Block<RowOf<typeof priceIndex>, Parameters>;

export type Part = RowOf<typeof contributions>;

export const partsOf = async ({
  of,
  parameters: { region, category },
}: Shown<unknown, Parameters>): Promise<readonly Part[]> =>
  (await (await of(contributions, { region: region[0], category })).rows({ limit: null })).rows;

export const nameOf = ({ category_path }: Part) => text(category_path?.split(' > ').at(-1) ?? 'Everything');

/** Change of a month or, in a younger book, of all its nights; percent. */
export const monthOf = (row: Part) => row.change_30_pct ?? row.change_first_pct;

const isBeyond = (change: string | null, error: string | null) =>
  error !== null && Math.abs(Number(change)) > Number(error);

/** Whether that change is beyond two standard errors. */
export const isClear = (row: Part): boolean => isBeyond(monthOf(row), row.change_error_pct);

/** ` ±0.3`: two standard errors of a known change. */
export const within = (error: string | null) => (error === null ? ' ± unknown' : ` ±${Number(error).toFixed(1)}`);

/** Why a change is unknown: values before this date are of other products. */
export const newBasis = (date: string) => `new basis since ${longDate(date)}`;

/** Periods in which a line begins again at 100, so that nothing connects it with the period before. */
export const restarts = (rows: readonly { readonly period_start: string; readonly base_start: string }[]) =>
  new Set(rows.filter((row, i) => i > 0 && row.base_start !== rows[i - 1]!.base_start).map((row) => row.period_start));

/** Rows of parts that contribute, the largest contribution first; the first row is the whole. */
export const ranked = ([, ...rows]: readonly Part[]) =>
  rows
    .filter(({ contribution_points: points }) => points !== null)
    .toSorted((one, other) => Number(other.contribution_points) - Number(one.contribution_points));

/** `+0.17`. */
export function points(value: unknown): string {
  const size = Number(value).toFixed(2);
  return Number(size) === 0 ? '0.00' : size.startsWith('-') ? size.replace('-', '−') : `+${size}`;
}

/** Columns of the table, without those that are unknown for all. */
const shownColumns = [
  ...(['category_path', 'history', 'change_7_pct', 'change_30_pct', 'change_91_pct', 'change_first_pct'] as const),
  ...(['contribution_points', 'matched_products'] as const),
];

/** All departments, or the parts of a category: small chart and changes. */
export const departments: IndexBlock = async (shown) => {
  const { parameters, hrefWith } = shown;
  const { region, category, also, period } = parameters;
  const isDrawn = shown.question.name === 'index';
  const rows = await partsOf(shown);
  const [whole] = rows;
  if (!whole) return <p class="none">There is no index yet: it needs complete nights.</p>;
  const contributing = ranked(rows);
  const widest = Math.max(...contributing.map((row) => Math.abs(Number(row.contribution_points))));
  // A young book has no month.
  const hasMonth = rows.some((row) => row.change_30_pct !== null);
  const movers = `/movers${searchOf({ region: region[0], category, period: 'month' })}`;
  const caption = `${category === undefined ? 'By department' : 'Its parts'}${period === 'day' ? '' : ', by night'}`;
  return (
    <Card title={caption} aside={<a href={movers}>Products that moved most</a>}>
      <Table
        caption={caption}
        columns={columnsOf(contributions, ...shownColumns.filter((name) => !hasMonth || name !== 'change_first_pct'))}
        rows={rows}
        onPhone={['category_path', hasMonth ? 'change_30_pct' : 'change_first_pct', 'contribution_points']}
        cells={{
          category_path: (row) => (
            <>
              {row === whole ? (
                <strong>Everything{category && ' in it'}</strong>
              ) : (
                <PartName of={row} also={isDrawn ? (also ?? '') : null} hrefWith={hrefWith} />
              )}
              {row.shelf !== null && <small> {row.shelf} shelf: its products count elsewhere</small>}
              {row.new_basis_since !== null && <small> {newBasis(row.new_basis_since)}</small>}
            </>
          ),
          history: (row) => <IndexLine of={row} />,
          change_7_pct: (row) => <Moved by={row.change_7_pct} error={row.change_7_error_pct} />,
          change_91_pct: (row) => <Moved by={row.change_91_pct} error={row.change_91_error_pct} />,
          change_30_pct: (row) => <Monthly of={row} value={row.change_30_pct} />,
          change_first_pct: (row) => <Monthly of={row} value={row.change_first_pct} />,
          contribution_points: (row) => (
            <>
              {row !== whole && row.contribution_points !== null && widest > 0 && (
                <TwoWayBar share={Number(row.contribution_points) / widest} isClear={isClear(row)} />
              )}
              <span class="figure">{row.contribution_points === null ? nothing : points(row.contribution_points)}</span>
            </>
          ),
        }}
      />
      <p class="quiet">
        {`Open a name to see its parts${isDrawn ? ', or tick it to add its line to the chart' : ''}. `}
        {'±: two standard errors; a smaller change is not clear and has no colour. '}
        {category === undefined &&
          'The contributions add up to the change of everything, because each product contributes to one department, ' +
            'its home. The products need not: a line has all of its department, and some are in two.'}
      </p>
    </Card>
  );
};

/** Name of a category, which leads to its parts, and a tick for its line in the chart if there is one (`also`). */
function PartName(props: { of: Part; also: string | null; hrefWith: HrefWith }): JSX.Element {
  const { of: row, also, hrefWith } = props;
  const id = row.category_id!;
  const ids = also?.split('|').filter((one) => one !== '') ?? [];
  const isAdded = ids.includes(id);
  const others = isAdded ? ids.filter((one) => one !== id) : [...ids, id];
  const name = nameOf(row);
  return (
    <span class="part">
      {also !== null && (
        <a
          class="add-line"
          href={hrefWith({ also: others.join('|') })}
          aria-current={isAdded ? 'true' : undefined}
          aria-label={isAdded ? `Remove the line of ${name}` : `Add the line of ${name} to the chart`}
        >
          {isAdded ? '☑' : '☐'}
        </a>
      )}
      <a class="name" href={hrefWith({ category: id, also: null })}>
        {name}
      </a>
    </span>
  );
}

/** A change with its error; without colour if it is not clear. */
function Moved({ by, error }: { by: string | null; error: string | null }): JSX.Element {
  if (by === null) return <>{nothing}</>;
  return (
    <>
      <span class={isBeyond(by, error) ? (Number(by) > 0 ? 'up' : 'down') : undefined}>{percent(by)}</span>
      {error !== null && <small>{within(error)}</small>}
    </>
  );
}

/** A change of 30 nights or of all of them, with its error if it is the one that has it. */
export const Monthly = ({ of: row, value }: { of: Part; value: string | null }) =>
  value === null || value === monthOf(row) ? <Moved by={value} error={row.change_error_pct} /> : percent(value);

function IndexLine({ of: row }: { of: Part }) {
  const values = JSON.parse(row.history ?? '[]') as [string, number][];
  if (values.length === 0) return null;
  const dates = datesBetween(values[0]![0], values.at(-1)![0]);
  const { axis, series } = periodSegments(dates, undefined, [{ values: new Map(values) }]);
  return <Spark axis={axis} segments={series[0]!} span={0.02} change={isClear(row) ? Number(monthOf(row)) : 0} />;
}
