import { z } from 'zod';
import { type RegionCode, regionCodes, regions } from '../../base/model/index.ts';
import { type IndexChange, indexChanges } from '../../questions/index-changes.ts';
import { RegionParameter } from '../../questions/parameters.ts';
import type { Column } from '../../questions/question.ts';
import { dateOf, datesBetween, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { Spark } from '../charts/spark.tsx';
import { periodSegments } from '../charts/steps.ts';
import { stretchParameters } from '../charts/stretch.ts';
import { DataTable, filled, Ways } from '../data-table.tsx';
import { definePage, type Query, type Table } from '../page.ts';
import { Card, Chips, Field, type HrefWith } from '../parts.tsx';
import { Scroll } from '../scroll.tsx';
import { dayAndMonth, inWords, longDate, plural, share, shortDate, text, unsnaked } from '../words.ts';
import {
  bases,
  type IndexValue,
  indexOptions,
  indexValues,
  lastIndexValues,
  methods,
  type Option,
  periods,
  type Subject,
} from './price-index-queries.ts';

/** Subject of a line: a region, or a category by its key. */
const SubjectParameter = z
  .string()
  .regex(/^(uk|ie|[1-9]\d{0,8})$/, 'must be uk, ie or the key of a category')
  .meta({ description: 'uk, ie or the key of a category: dim_category.category_key' });
const Chosen = z.literal('yes').optional();

/** Number of lines with distinct styles. */
const mostLines = 6;

export const priceIndex = definePage({
  path: '/index',
  nav: 'Inflation',
  about: 'Price of the same products over time, 100 in the base period, by category, method and period.',
  parameters: {
    region: RegionParameter,
    a: SubjectParameter.optional().meta({ description: 'First line; by default everything in the region' }),
    b: SubjectParameter.optional(),
    c: SubjectParameter.optional(),
    d: SubjectParameter.optional(),
    geks_jevons: Chosen.meta({ description: 'GEKS-Jevons; the default method' }),
    jevons_chained: Chosen,
    jevons_fixed: Chosen,
    mean_price: Chosen,
    shelf_adjusted: Chosen.meta({ description: 'Shelf prices for the same content when packs change; the default' }),
    member_adjusted: Chosen.meta({ description: 'Prices for members, for the same content' }),
    shelf: Chosen.meta({ description: 'Shelf prices' }),
    member: Chosen.meta({ description: 'Prices for members' }),
    day: Chosen.meta({ description: 'By night; the default period' }),
    week: Chosen,
    month: Chosen,
    span: z
      .enum(['quarter', 'year', 'all'])
      .default('quarter')
      .meta({ description: 'Length of the charts if no dates are given' }),
    ...stretchParameters,
  },
  queries: (p) => {
    const which = {
      subjects: subjectsOf(p),
      methods: chosenOf(p, methods, 'geks_jevons'),
      bases: chosenOf(p, bases, 'shelf_adjusted'),
      periods: chosenOf(p, periods, 'day'),
      span: p.span,
      stretch: { from: p.from, to: p.to },
    };
    return {
      values: indexValues(which),
      departments: {
        caption: 'By department',
        sql: indexChanges(p.region),
        columns: departmentColumns,
        none: 'There is no index yet: it needs complete nights.',
      } as Query<IndexChange>,
      last: lastIndexValues(which),
      options: indexOptions(subjectsOf(p)),
    };
  },
  title: ({ region }, { departments: { rows } }) => {
    const known = rows.find(({ category_key }) => category_key === null)?.change_30_pct ?? null;
    const change = Number(known);
    const { name } = regions[region];
    if (known === null) return `Prices in ${articled(name)}, night by night`;
    if (Math.abs(change) < 0.05) return `Prices in ${articled(name)} are where they were a month ago`;
    return `Prices in ${articled(name)} are ${share(change)} ${change > 0 ? 'higher' : 'lower'} than a month ago`;
  },
  lead: () =>
    'The same products, compared night by night at shelf prices for the same content. New products never move it.',
  empty: ({ values, options }) =>
    values.rows.length === 0 && options.rows.length === 0 ? 'There is no index yet: it needs certified nights.' : null,
  view: ({ parameters: p, tables: { values, last, options, departments }, hrefWith }) => (
    <>
      <Chips
        label="Span"
        chosen={p.span}
        options={{ quarter: 'A quarter', year: 'A year', all: 'All' }}
        href={(span) => hrefWith({ span, from: null, to: null })}
      />
      {chosenOf(p, periods, 'day').map((period) => (
        <PeriodView key={period} period={period} values={values} subjects={subjectsOf(p)} />
      ))}
      <Card title="By department" aside={`${regions[p.region].name}, change in percent`}>
        <Departments of={departments} p={p} hrefWith={hrefWith} />
      </Card>
      <details class="card">
        <summary>Other lines, methods and periods</summary>
        <form class="filters" action="/index" autocomplete="off">
          <input type="hidden" name="region" value={p.region} />
          {(['a', 'b', 'c', 'd'] as const).map((name, i) => (
            <SubjectChoice
              key={name}
              name={name}
              label={`Line ${i + 1}`}
              value={p[name] ?? (name === 'a' ? p.region : undefined)}
              options={options.rows}
            />
          ))}
          <Ticks legend="Methods" of={methods} chosen={chosenOf(p, methods, 'geks_jevons')} />
          <Ticks legend="Prices" of={bases} chosen={chosenOf(p, bases, 'shelf_adjusted')} />
          <Ticks legend="Periods" of={periods} chosen={chosenOf(p, periods, 'day')} />
          <Field name="from" label="From" value={p.from} type="date" />
          <Field name="to" label="to" value={p.to} type="date" />
          <button type="submit">Show</button>
        </form>
        <DataTable
          of={last}
          cells={{ line: (row) => lineName(row), period: (row) => periods[row.period as keyof typeof periods] }}
        />
        <p class="quiet">
          A line breaks where its region has no complete night. An index restarts at 100 if no product of the compared
          period is left; values before and after are not comparable. Quantities sold are unknown, so every product has
          the same weight. Use GEKS-Jevons for publication: a chained index can drift away from it, and a mean price
          changes with the range of products.
        </p>
      </details>
    </>
  ),
});

type Parameters = Readonly<Partial<Record<'a' | 'b' | 'c' | 'd', string | undefined>>> & {
  readonly region: RegionCode;
};

const departmentColumns: readonly Column[] = [
  { name: 'name', heading: 'Department' },
  { name: 'change_7_pct', heading: '7 nights', as: 'percent' },
  { name: 'change_30_pct', heading: '30 nights', as: 'percent' },
  { name: 'change_91_pct', heading: '91 nights', as: 'percent' },
  { name: 'change_first_pct', heading: 'Since the first night', as: 'percent' },
  { name: 'member_30_pct', heading: 'Members, 30', as: 'percent' },
  { name: 'other_30_pct', heading: 'Other region, 30', as: 'percent' },
  { name: 'matched_products', heading: 'Products', as: 'number' },
];

/** Changes in the order of their use on a phone, which shows the first three that are known. */
const byUse = [
  ...['change_30_pct', 'change_first_pct', 'member_30_pct', 'other_30_pct', 'change_7_pct', 'change_91_pct'],
] as const;

/** All departments: small chart, changes with heat, and a link that adds their line to the chart. */
function Departments(props: { of: Table<IndexChange>; p: Parameters; hrefWith: HrefWith }) {
  const { of: table, p, hrefWith } = props;
  if (table.rows.length === 0) return <DataTable of={table} />;
  const other = p.region === 'uk' ? regions.ie.name : 'UK';
  const { first_night, nights } = table.rows[0]!;
  const headings: Readonly<Record<string, string>> = {
    other_30_pct: `${other}, 30`,
    change_first_pct: `Since ${dayAndMonth(first_night)} (${plural(nights, 'night')})`,
  };
  const known = filled(table).columns.map(({ name }) => name);
  const columns = table.columns.slice(1).filter(({ name }) =>
    // A book that reaches back a quarter is compared over that.
    name === 'change_first_pct' ? !known.includes('change_91_pct') : known.includes(name),
  );
  const onPhone: readonly string[] = byUse.filter((name) => columns.some((column) => column.name === name)).slice(0, 3);
  const classOf = (name: string) => (onPhone.includes(name) ? '' : ' rare');
  const sorted = known.includes('change_30_pct') ? 'change_30_pct' : 'change_first_pct';
  return (
    <div class="table">
      <Scroll label={table.caption}>
        <table class="departments">
          <caption class="hidden">{table.caption}</caption>
          <thead>
            <tr>
              <th scope="col">Department</th>
              <th scope="col" class="line-cell">
                A quarter
              </th>
              {columns.map(({ name, heading }) => (
                <th
                  key={name}
                  scope="col"
                  class={`number${classOf(name)}`}
                  aria-sort={name === sorted ? 'descending' : undefined}
                >
                  {headings[name] ?? heading}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row.category_key}>
                <th scope="row" class="item-cell">
                  <Toggle of={row} p={p} hrefWith={hrefWith} />
                </th>
                <td class="line-cell">
                  <IndexLine of={row} />
                </td>
                {columns.map((column) => {
                  const value = row[column.name as keyof IndexChange];
                  const heat = column.as === 'percent' ? `heat ${heatOf(value)}` : 'number';
                  return (
                    <td key={column.name} class={`${heat}${classOf(column.name)}`}>
                      {inWords(value, column.as)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <Ways table={table} />
    </div>
  );
}

/** Adds the line of a department to the chart, or removes it. */
function Toggle({ of: row, p, hrefWith }: { of: IndexChange; p: Parameters; hrefWith: HrefWith }) {
  if (row.category_key === null || row.name === null) return <strong>Everything</strong>;
  const key = String(row.category_key);
  const place = (['a', 'b', 'c', 'd'] as const).find((name) => p[name] === key);
  const free = (['b', 'c', 'd'] as const).find((name) => p[name] === undefined) ?? 'd';
  return (
    <a
      class="name"
      href={hrefWith(place ? { [place]: null } : { [free]: key })}
      aria-current={place ? 'true' : undefined}
    >
      <span aria-hidden="true">{place ? '☑' : '☐'}</span> {text(row.name)}
      <span class="hidden">{place ? ', remove its line' : ', add its line to the chart'}</span>
    </a>
  );
}

function IndexLine({ of: row }: { of: IndexChange }) {
  const values = JSON.parse(row.history ?? '[]') as [string, number][];
  if (values.length === 0) return null;
  const dates = datesBetween(values[0]![0], values.at(-1)![0]);
  const { axis, series } = periodSegments(dates, undefined, [{ values: new Map(values) }]);
  return <Spark axis={axis} segments={series[0]!} change={Number(row.change_30_pct ?? row.change_first_pct)} />;
}

/** Class of a change by direction and size. */
function heatOf(change: IndexChange[keyof IndexChange]): string {
  const size = Math.abs(Number(change));
  if (size < 0.05) return '';
  return `${Number(change) > 0 ? 'up' : 'down'}${size < 0.6 ? 1 : size < 1.2 ? 2 : 3}`;
}

const articled = (name: string) => (name.startsWith('United') ? `the ${name}` : name);

/** Index of one subject, method and price basis. */
interface Line {
  readonly name: string;
  readonly first: IndexValue;
  readonly values: Map<string, string | null>;
  /** Periods in which the index restarts at 100. */
  readonly anew: Set<string>;
  /** Base period of the last value read. */
  base: string;
}

const newLine = (first: IndexValue): Line => ({
  name: lineName(first),
  first,
  values: new Map(),
  anew: new Set(),
  base: first.base_start,
});

/** Chart and table of one kind of period: one row per period, one column per line. */
function PeriodView(props: { period: keyof typeof periods; values: Table<IndexValue>; subjects: readonly Subject[] }) {
  const { period, values, subjects } = props;
  const rows = values.rows.filter((row) => row.period === period);
  const known = new Map<string, Line>();
  for (const row of rows) {
    const key = `${row.region} ${row.category_key} ${row.method} ${row.price_basis}`;
    const line = known.get(key) ?? newLine(row);
    known.set(key, line);
    if (line.base !== row.base_start) line.anew.add(row.period_start);
    line.base = row.base_start;
    line.values.set(row.period_start, row.value);
  }
  const inOrder = inOrderOf(subjects);
  const lines = [...known.values()].sort((one, other) => inOrder(one.first, other.first));
  const drawn = lines.slice(0, mostLines);
  const knownStarts = [...new Set(rows.map(({ period_start }) => period_start))].sort();
  const starts = startsOf(period, knownStarts);
  const firstNight =
    lines
      .map(({ first }) => first.begins_on)
      .filter((night) => night !== null)
      .sort()[0] ?? null;
  const endOf = (start: string) => dateOf(next(period, dayOf(start)));
  /**
   * First day with data in a period: the first night of all lines if it falls in the period, otherwise the period's
   * first day.
   */
  const knownFrom = (start: string) =>
    firstNight !== null && start < firstNight && firstNight < endOf(start) ? firstNight : start;
  const title = `Price index by ${periods[period]}`;
  if (rows.length === 0) return <p class="none">{title}: these lines have no values.</p>;
  return (
    <Card title={title} aside={`100 = ${longDate(lines[0]!.first.base_start)}`}>
      {lines.length > mostLines && (
        <p class="none">
          The chart shows the first {mostLines} of {lines.length} lines; the table has all.
        </p>
      )}
      <PeriodChart
        id={`index-${period}`}
        title={title}
        description={
          `${drawn.map(({ name }) => name).join('; ')}. From ${longDate(knownFrom(starts[0]!))} to ` +
          `${longDate(starts.at(-1)!)}; 100 in the base period.`
        }
        periods={starts}
        end={endOf(starts.at(-1)!)}
        series={drawn.map(({ name, first, anew, values: of }) => ({
          name,
          short: shortName(first),
          begins: first.begins_on,
          anew,
          values: new Map([...of].map(([start, value]) => [start, value === null ? null : Number(value)])),
        }))}
        format={(value, decimals = 2) => value.toFixed(decimals)}
      />
      <DataTable
        isFolded
        cells={{
          period_start: ({ period_start: start }) =>
            knownFrom(start) === start
              ? shortDate(start)
              : `${shortDate(start)}, known from ${shortDate(knownFrom(start))}`,
        }}
        of={{
          ...values,
          caption: title,
          columns: [
            { name: 'period_start', heading: 'From', as: 'date' },
            ...lines.map(({ name }, i) => ({ name: `line${i}`, heading: name, as: 'number' as const })),
          ],
          rows: knownStarts.map((start) => ({
            period_start: start,
            ...Object.fromEntries(lines.map((line, i) => [`line${i}`, line.values.get(start)])),
          })),
        }}
      />
    </Card>
  );
}

/**
 * Order by method and price basis, then as in the form. If there are more lines than the chart can draw, every subject
 * keeps its first method.
 */
function inOrderOf(subjects: readonly Subject[]) {
  const place = ({ method, price_basis, region, category_key }: IndexValue) => [
    Object.keys(methods).indexOf(method),
    Object.keys(bases).indexOf(price_basis),
    subjects.findIndex((subject) => subject === (category_key ?? region)),
  ];
  return (one: IndexValue, other: IndexValue) => {
    const others = place(other);
    return place(one).reduce((difference, at, i) => difference || at - others[i]!, 0);
  };
}

function lineName(line: IndexValue): string {
  const { region, category_path, method, price_basis } = line;
  const of = category_path === null ? 'everything' : text(category_path);
  const basis = bases[price_basis as keyof typeof bases];
  return `${regions[region].name}, ${of}: ${methods[method as keyof typeof methods]}, ${basis}`;
}

function shortName({ region, category_path }: IndexValue): string {
  return category_path === null
    ? region === 'uk'
      ? 'UK'
      : 'Ireland'
    : text(category_path.split(' > ').at(-1)!).slice(0, 12);
}

/** First days of all periods in the range, including periods without data. */
function startsOf(period: keyof typeof periods, known: readonly string[]): string[] {
  if (known.length === 0) return [];
  const days = known.map(dayOf);
  const last = Math.max(...days);
  const starts: string[] = [];
  for (let day = Math.min(...days); day <= last; day = next(period, day)) starts.push(dateOf(day));
  return starts;
}

function next(period: keyof typeof periods, day: number): number {
  if (period !== 'month') return day + (period === 'week' ? 7 : 1);
  const [year, month] = dateOf(day).split('-').map(Number) as [number, number];
  return Date.UTC(year, month, 1) / 86_400_000;
}

function subjectsOf(p: Parameters): Subject[] {
  const given = [p.a ?? p.region, p.b, p.c, p.d].filter((one) => one !== undefined);
  return [...new Set(given)].map((one) => (one === 'uk' || one === 'ie' ? one : Number(one)));
}

function chosenOf<Key extends string>(
  p: Readonly<Partial<Record<Key, 'yes' | undefined>>>,
  of: Readonly<Record<Key, string>>,
  otherwise: Key,
): Key[] {
  const chosen = (Object.keys(of) as Key[]).filter((key) => p[key] === 'yes');
  return chosen.length === 0 ? [otherwise] : chosen;
}

function Ticks<Key extends string>({
  legend,
  of,
  chosen,
}: {
  legend: string;
  of: Readonly<Record<Key, string>>;
  chosen: readonly Key[];
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      {(Object.keys(of) as Key[]).map((key) => (
        <label key={key} class="tick">
          <input type="checkbox" name={key} value="yes" checked={chosen.includes(key)} /> {unsnaked(of[key])}
        </label>
      ))}
    </fieldset>
  );
}

function SubjectChoice(props: { name: string; label: string; value: string | undefined; options: readonly Option[] }) {
  const { name, label, value, options } = props;
  return (
    <label>
      {label}
      <select name={name}>
        {name !== 'a' && <option value="">none</option>}
        {regionCodes.map((code) => (
          <option key={code} value={code} selected={value === code}>
            {regions[code].name}: everything
          </option>
        ))}
        {options.map(({ category_key, region, path }) => (
          <option key={category_key} value={category_key} selected={value === String(category_key)}>
            {regions[region].name}: {text(path)}
          </option>
        ))}
      </select>
    </label>
  );
}
