import { z } from 'zod';
import { type RegionCode, regionCodes, regions } from '../../base/model/index.ts';
import { type IndexChange, indexChanges } from '../../questions/index-changes.ts';
import { RegionParameter } from '../../questions/parameters.ts';
import type { Column } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import {
  type Category,
  CategoryLinks,
  type CategoryOption,
  CategoryParameter,
  categoryOptions,
  keyElsewhere,
  trailOf,
} from '../category-choice.tsx';
import { dateOf, datesBetween, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { Spark, TwoWayBar } from '../charts/spark.tsx';
import { periodSegments } from '../charts/steps.ts';
import { DataTable, filled, Ways } from '../data-table.tsx';
import { definePage, type Query, type Table } from '../page.ts';
import { Card, Choice, type HrefWith } from '../parts.tsx';
import { Scroll } from '../scroll.tsx';
import { Ranges, SpanParameter } from '../spans.tsx';
import { cutAt, dayAndMonth, inWords, longDate, nothing, plural, share, shortDate, text } from '../words.ts';
import { bases, type IndexValue, indexValues, methods, periods, type Subject } from './price-index-queries.ts';

/** Subject of a line: a region, or a category by its key. */
const SubjectParameter = z
  .string()
  .regex(/^(uk|ie|[1-9]\d{0,8})$/, 'must be uk, ie or the key of a category')
  .meta({ description: 'uk, ie or the key of a category: dim_category.category_key' });

const keysOf = <Key extends string>(of: Readonly<Record<Key, unknown>>) => Object.keys(of) as [Key, ...Key[]];

export const priceIndex = definePage({
  path: '/index',
  nav: 'Inflation',
  about: 'Price of the same products over time, 100 in the base period, by category, method and period.',
  parameters: {
    region: RegionParameter,
    category: CategoryParameter.meta({ description: 'Category whose parts are compared; by default the departments' }),
    a: SubjectParameter.optional().meta({ description: 'First line; by default the category, or everything' }),
    b: SubjectParameter.optional(),
    c: SubjectParameter.optional(),
    d: SubjectParameter.optional(),
    method: z.enum(keysOf(methods)).default('geks_jevons').meta({ description: 'Method of the index' }),
    basis: z
      .enum(keysOf(bases))
      .default('shelf_adjusted')
      .meta({ description: 'Prices that everybody or members pay; adjusted: for the same content when packs change' }),
    period: z.enum(keysOf(periods)).default('day').meta({ description: 'Length of a period' }),
    span: SpanParameter.default('quarter'),
  },
  queries: (p) => ({
    values: indexValues({ ...p, subjects: subjectsOf(p) }),
    departments: {
      caption: p.category === undefined ? 'By department' : 'Its parts',
      sql: indexChanges(p.region, p.category),
      columns: departmentColumns,
      none: 'There is no index yet: it needs complete nights.',
    } as Query<IndexChange>,
    options: categoryOptions(regionCodes, p.category, ...subjectsOf(p).filter((one) => typeof one === 'number')),
    trail: trailOf(sql`${p.category ?? null}::int`, {
      caption: 'Path of the category',
      none: 'No category is chosen.',
    }),
  }),
  elsewhere: (region, { parameters: p, tables: { options }, hrefWith }) =>
    hrefWith({
      ...{ region, category: keyElsewhere(options.rows, p.category) },
      ...Object.fromEntries(
        (['a', 'b', 'c', 'd'] as const).map((name) => [name, subjectElsewhere(p[name], options.rows)]),
      ),
    }),
  title: ({ region }, { departments: { rows }, trail }) => {
    const all = rows.find(({ name }) => name === null);
    const isMonth = (all?.change_30_pct ?? null) !== null;
    const known = (isMonth ? all?.change_30_pct : all?.change_first_pct) ?? null;
    const change = Number(known);
    const category = trail.rows.at(-1)?.name;
    const of = category === undefined ? '' : ` of ${text(category)}`;
    const prices = `Prices${of} in ${articled(regions[region].name)}`;
    if (all === undefined || known === null) return `${prices}, night by night`;
    const ago = isMonth ? 'a month ago' : `on ${dayAndMonth(all.first_night)}`;
    const most = contributors(rows);
    if (Math.abs(change) < 0.05) return `${prices} are where they were ${ago}${most}`;
    return `${prices} are ${share(change)} ${change > 0 ? 'higher' : 'lower'} than ${ago}${most}`;
  },
  lead: () =>
    'The same products, compared night by night at shelf prices for the same content. New arrivals do not move it.',
  empty: ({ values, options }) =>
    values.rows.length === 0 && options.rows.length === 0 ? 'There is no index yet: it needs certified nights.' : null,
  view: ({ parameters: p, tables: { values, options, departments, trail }, hrefWith }) => (
    <>
      <Trail of={trail} p={p} hrefWith={hrefWith} />
      <Ranges chosen={p.span} hrefWith={hrefWith} known={(departments.rows[0]?.nights ?? 0) + 1} />
      <Lines of={values} p={p} />
      <Card title={departments.caption} aside={`${regions[p.region].name}, change in percent`}>
        <Departments of={departments} p={p} hrefWith={hrefWith} />
        <p class="quiet">
          {'Open a name to see its parts, or tick it to add its line to the chart. '}
          {sumOfContributions(departments.rows)}
          {' Members’ prices swing as offers start and end, which says little about inflation.'}
        </p>
        <p class="quiet on-phone">A wider screen and the CSV have more columns.</p>
      </Card>
      <details class="card">
        <summary>How it is computed</summary>
        <p id="how">
          GEKS-Jevons compares each night with every other one of the last 29: the geometric mean of the price changes
          of the products sold on both. The index is the mean of all ways from one night to another, so that offers that
          end do not make it drift, and the last 29 nights can be revised. A chained Jevons index multiplies the changes
          from night to night, one with a fixed base compares with the base period alone, and a mean price is that of
          all products for sale. “For the same content”: a pack that shrinks at the same price is dearer.
        </p>
        <p class="quiet">
          Quantities sold are unknown, so every product has the same weight. A line breaks where its region has no
          complete night. An index restarts at 100 if no product of the compared period is left; values before and after
          are not comparable. Use GEKS-Jevons for publication: a chained index can drift away from it, and a mean price
          changes with the range of products.
        </p>
      </details>
      <details class="card">
        <summary>Other lines, methods and periods</summary>
        <form class="filters" action="/index" autocomplete="off">
          <input type="hidden" name="region" value={p.region} />
          {p.category !== undefined && <input type="hidden" name="category" value={p.category} />}
          {(['a', 'b', 'c', 'd'] as const).map((name, i) => (
            <SubjectChoice
              key={name}
              name={name}
              label={`Line ${i + 1}`}
              value={p[name] ?? (name === 'a' ? String(p.category ?? p.region) : undefined)}
              options={options.rows}
            />
          ))}
          <Choice name="method" label="Method" value={p.method} options={methods} />
          <Choice name="basis" label="Prices" value={p.basis} options={bases} />
          <Choice name="period" label="Period" value={p.period} options={periods} />
          <button type="submit">Show</button>
        </form>
      </details>
    </>
  ),
});

/** Rows of parts that contribute, the largest contribution first. */
const ranked = (rows: readonly IndexChange[]) =>
  rows
    .filter(({ name, contribution_points: points }) => name !== null && points !== null)
    .toSorted((one, other) => Number(other.contribution_points) - Number(one.contribution_points));

/** `; Bakery added most (+0.17 points), Frozen took off most (−0.04)`. */
function contributors(rows: readonly IndexChange[]): string {
  const parts = ranked(rows);
  const [up, down] = [parts[0], parts.at(-1)];
  const named = [
    ...(up && Number(up.contribution_points) >= 0.005 ? [[up, 'added most'] as const] : []),
    ...(down && Number(down.contribution_points) <= -0.005 ? [[down, 'took off most'] as const] : []),
  ].map(([row, verb], i) => {
    return `${text(row.name)} ${verb} (${points(row.contribution_points)}${i === 0 ? ' points' : ''})`;
  });
  return named.length === 0 ? '' : `; ${named.join(', ')}`;
}

/** What the contributions are, and their sum against the change of the whole. */
function sumOfContributions(rows: readonly IndexChange[]): string {
  const whole = rows.find(({ name }) => name === null)?.contribution_points;
  const parts = ranked(rows);
  if (whole == null || parts.length === 0) return '';
  const sum = points(parts.reduce((total, row) => total + Number(row.contribution_points), 0));
  const about = 'Contribution: percentage points of the whole change, each product with the same weight.';
  return sum === points(whole)
    ? `${about} They add up to it.`
    : `${about} They add up to ${sum} of ${points(whole)}, because a product in several of these counts in each, and ` +
        'products come and go.';
}

/** `+0.17`. */
function points(value: unknown): string {
  const size = Number(value).toFixed(2);
  return Number(size) === 0 ? '0.00' : size.startsWith('-') ? size.replace('-', '−') : `+${size}`;
}

/** The line of the other region; a category that only this region has keeps its own. */
function subjectElsewhere(subject: string | undefined, options: readonly CategoryOption[]): string | number | null {
  if (subject === undefined) return null;
  if (subject === 'uk' || subject === 'ie') return subject === 'uk' ? 'ie' : 'uk';
  return keyElsewhere(options, Number(subject)) ?? subject;
}

type Parameters = Readonly<Partial<Record<'a' | 'b' | 'c' | 'd', string | undefined>>> & {
  readonly region: RegionCode;
  readonly category?: number | undefined;
  readonly method: keyof typeof methods;
  readonly basis: keyof typeof bases;
  readonly period: keyof typeof periods;
};

const departmentColumns: readonly Column[] = [
  { name: 'name', heading: 'Department' },
  { name: 'change_7_pct', heading: '7 nights', as: 'percent' },
  { name: 'change_30_pct', heading: '30 nights', as: 'percent' },
  { name: 'change_91_pct', heading: '91 nights', as: 'percent' },
  { name: 'change_first_pct', heading: 'Since the first night', as: 'percent' },
  { name: 'contribution_points', heading: 'Contribution', as: 'decimal' },
  { name: 'member_30_pct', heading: 'Members, 30', as: 'percent' },
  { name: 'other_30_pct', heading: 'Other region, 30', as: 'percent' },
  { name: 'matched_products', heading: 'Products', as: 'number' },
];

/** Changes in the order of their use on a phone, which shows the first three that are known. */
const byUse = [
  ...['change_30_pct', 'contribution_points', 'change_first_pct', 'other_30_pct', 'change_7_pct', 'change_91_pct'],
] as const;

/** All departments, or the parts of a category: small chart and changes with heat. */
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
  const widest = Math.max(...ranked(table.rows).map((row) => Math.abs(Number(row.contribution_points))));
  return (
    <div class="table">
      <Scroll label={table.caption}>
        <table class="departments">
          <caption class="hidden">{table.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{p.category === undefined ? 'Department' : 'Category'}</th>
              <th scope="col" class="line-cell">
                {plural(Math.min(nights + 1, nightsShown), 'night')}
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
                  <Part of={row} p={p} hrefWith={hrefWith} />
                </th>
                <td class="line-cell">
                  <IndexLine of={row} />
                </td>
                {columns.map((column) => {
                  const value = row[column.name as keyof IndexChange];
                  // Members' prices move by offers, so their heat would outshine inflation.
                  const isHot = column.as === 'percent' && column.name !== 'member_30_pct';
                  const heat = isHot ? `heat ${heatOf(value)}` : 'number';
                  if (column.name === 'contribution_points')
                    return <Contribution key={column.name} of={row} widest={widest} />;
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

/** Nights that the small charts show at most. */
const nightsShown = 99;

/** Bar and number of what a part adds to the change of the whole. */
function Contribution({ of: row, widest }: { of: IndexChange; widest: number }) {
  const { name, contribution_points: value } = row;
  return (
    <td class="number contribution">
      {name !== null && value !== null && widest > 0 && <TwoWayBar share={Number(value) / widest} />}
      {value === null ? nothing : points(value)}
    </td>
  );
}

/** Names of the chosen category and those above it, and links to other pages about it. */
function Trail({ of: trail, p, hrefWith }: { of: Table<Category>; p: Parameters; hrefWith: HrefWith }) {
  const chosen = trail.rows.at(-1);
  if (chosen === undefined) return null;
  const above = [{ category_key: null, name: 'Everything' }, ...trail.rows.slice(0, -1)];
  return (
    <>
      <ul class="crumbs">
        {above.map(({ category_key, name }) => (
          <li key={category_key}>
            <a href={hrefWith({ category: category_key, ...noLines })}>{text(name)}</a>
          </li>
        ))}
        <li>{text(chosen.name)}</li>
      </ul>
      <CategoryLinks region={p.region} category={chosen.category_key} but="/index" />
    </>
  );
}

/** A category starts with its own line alone. */
const noLines = { a: null, b: null, c: null, d: null };

/** Name of a category, which leads to its own index, and a tick that adds its line to the chart or removes it. */
function Part({ of: row, p, hrefWith }: { of: IndexChange; p: Parameters; hrefWith: HrefWith }) {
  if (row.category_key === null || row.name === null) return <strong>Everything{p.category && ' in it'}</strong>;
  const key = String(row.category_key);
  const place = (['a', 'b', 'c', 'd'] as const).find((name) => p[name] === key);
  const free = (['b', 'c', 'd'] as const).find((name) => p[name] === undefined) ?? 'd';
  const name = text(row.name);
  return (
    <span class="part">
      <a
        class="add-line"
        href={hrefWith(place ? { [place]: null } : { [free]: key })}
        aria-current={place ? 'true' : undefined}
        aria-label={place ? `Remove the line of ${name}` : `Add the line of ${name} to the chart`}
      >
        {place ? '☑' : '☐'}
      </a>
      <a class="name" href={hrefWith({ category: row.category_key, ...noLines })}>
        {name}
      </a>
    </span>
  );
}

function IndexLine({ of: row }: { of: IndexChange }) {
  const values = JSON.parse(row.history ?? '[]') as [string, number][];
  if (values.length === 0) return null;
  const dates = datesBetween(values[0]![0], values.at(-1)![0]);
  const { axis, series } = periodSegments(dates, undefined, [{ values: new Map(values) }]);
  return (
    <Spark axis={axis} segments={series[0]!} span={0.02} change={Number(row.change_30_pct ?? row.change_first_pct)} />
  );
}

/** Class of a change by direction and size. */
function heatOf(change: IndexChange[keyof IndexChange]): string {
  const size = Math.abs(Number(change));
  if (size < 0.05) return '';
  return `${Number(change) > 0 ? 'up' : 'down'}${size < 0.6 ? 1 : size < 1.2 ? 2 : 3}`;
}

const articled = (name: string) => (name.startsWith('United') ? `the ${name}` : name);

/** Chart and table of the lines: one row per period, one column per line. */
function Lines({ of: values, p }: { of: Table<IndexValue>; p: Parameters }) {
  const { period } = p;
  const lines = subjectsOf(p).flatMap((subject) => {
    const rows = values.rows.filter(({ category_key, region }) => subject === (category_key ?? region));
    return rows.length === 0 ? [] : [{ first: rows[0]!, name: lineName(rows[0]!), rows }];
  });
  const title = `Price index by ${periods[period]}`;
  if (lines.length === 0) return <p class="none">{title}: these lines have no values.</p>;
  const knownStarts = [...new Set(values.rows.map(({ period_start }) => period_start))].sort();
  const starts = startsOf(period, knownStarts);
  const [firstNight = null] = lines.flatMap(({ first }) => first.begins_on ?? []).sort();
  const endOf = (start: string) => dateOf(next(period, dayOf(start)));
  /**
   * First day with data in a period: the first night of all lines if it falls in the period, otherwise the period's
   * first day.
   */
  const knownFrom = (start: string) =>
    firstNight !== null && start < firstNight && firstNight < endOf(start) ? firstNight : start;
  return (
    <Card title={title} aside={`100 = ${longDate(lines[0]!.first.base_start)}`}>
      <PeriodChart
        id={`index-${period}`}
        title={title}
        description={
          `${lines.map(({ name }) => name).join('; ')}. From ${longDate(knownFrom(starts[0]!))} to ` +
          `${longDate(starts.at(-1)!)}; 100 in the base period.`
        }
        periods={starts}
        end={endOf(starts.at(-1)!)}
        series={lines.map(({ name, first, rows }) => ({
          name,
          short: shortName(first),
          begins: first.begins_on,
          anew: restartsOf(rows),
          values: new Map(rows.map(({ period_start, value }) => [period_start, value === null ? null : Number(value)])),
        }))}
        format={(value, decimals = 2) => value.toFixed(decimals)}
      />
      <p class="quiet">
        {`Computed from ${bases[p.basis]}; method: ${methods[p.method]}. `}
        <a href="#how">How it is computed</a>
      </p>
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
            ...Object.fromEntries(
              lines.map(({ rows }, i) => [`line${i}`, rows.find((row) => row.period_start === start)?.value]),
            ),
          })),
        }}
      />
    </Card>
  );
}

/** Periods in which an index restarts at 100. */
function restartsOf(rows: readonly IndexValue[]): Set<string> {
  return new Set(
    rows.filter((row, i) => i > 0 && row.base_start !== rows[i - 1]!.base_start).map((r) => r.period_start),
  );
}

function lineName({ region, category_path }: IndexValue): string {
  return `${regions[region].name}, ${category_path === null ? 'everything' : text(category_path)}`;
}

function shortName({ region, category_path }: IndexValue): string {
  return category_path === null
    ? region === 'uk'
      ? 'UK'
      : 'Ireland'
    : cutAt(text(category_path.split(' > ').at(-1)!), 22);
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
  const given = [p.a ?? p.category ?? p.region, p.b, p.c, p.d].filter((one) => one !== undefined);
  return [...new Set(given)].map((one) => (one === 'uk' || one === 'ie' ? one : Number(one)));
}

function SubjectChoice(props: {
  name: string;
  label: string;
  value: string | undefined;
  options: readonly CategoryOption[];
}) {
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
