import { z } from 'zod';
import { dateOf, dayOf } from '../charts/days.ts';
import { LinesChart } from '../charts/lines-chart.tsx';
import { stretchParameters } from '../charts/stretch.ts';
import { DataTable } from '../data-table.tsx';
import { definePage, type Table } from '../page.ts';
import { Choice, Field } from '../parts.tsx';
import { text, unsnaked } from '../words.ts';
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
  nav: 'Index',
  about: 'Price of the same products over time, 100 in the base period, by category, method and period.',
  parameters: {
    a: SubjectParameter.default('uk'),
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
      last: lastIndexValues(which),
      options: indexOptions(subjectsOf(p)),
    };
  },
  title: () => 'Price index',
  empty: ({ values, options }) =>
    values.rows.length === 0 && options.rows.length === 0 ? 'There is no index yet: it needs certified nights.' : null,
  view: ({ parameters: p, tables: { values, last, options } }) => (
    <>
      <form class="filters" action="/index" autocomplete="off">
        {(['a', 'b', 'c', 'd'] as const).map((name, i) => (
          <SubjectChoice key={name} name={name} label={`Line ${i + 1}`} value={p[name]} options={options.rows} />
        ))}
        <Ticks legend="Methods" of={methods} chosen={chosenOf(p, methods, 'geks_jevons')} />
        <Ticks legend="Prices" of={bases} chosen={chosenOf(p, bases, 'shelf_adjusted')} />
        <Ticks legend="Periods" of={periods} chosen={chosenOf(p, periods, 'day')} />
        <Choice
          name="span"
          label="Shown"
          value={p.span}
          options={{ quarter: 'a quarter', year: 'a year', all: 'all' }}
        />
        <Field name="from" label="or from" value={p.from} type="date" />
        <Field name="to" label="to" value={p.to} type="date" />
        <button type="submit">Show</button>
      </form>
      {chosenOf(p, periods, 'day').map((period) => (
        <PeriodView key={period} period={period} values={values} subjects={subjectsOf(p)} />
      ))}
      <DataTable
        of={last}
        cells={{ line: (row) => lineName(row), period: (row) => periods[row.period as keyof typeof periods] }}
      />
      <p>
        A line breaks where its region has no certified night. The chart is hatched where none of its lines has one. An
        index restarts at 100 if no product of the compared period is left; values before and after are not comparable.
        Quantities sold are unknown, so every product has the same weight. Use GEKS-Jevons for publication: a chained
        index can drift away from it, and a mean price changes with the range of products.
      </p>
    </>
  ),
});

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
    <section>
      <h2>{title}</h2>
      {lines.length > mostLines && (
        <p class="none">
          The chart shows the first {mostLines} of {lines.length} lines; the table has all.
        </p>
      )}
      <LinesChart
        id={`index-${period}`}
        title={title}
        description={
          `${drawn.map(({ name }) => name).join('; ')}. From ${knownFrom(starts[0]!)} to ${starts.at(-1)}; ` +
          '100 in the base period.'
        }
        periods={starts}
        end={endOf(starts.at(-1)!)}
        series={drawn.map(({ name, first, anew, values: of }) => ({
          name,
          begins: first.begins_on,
          anew,
          values: new Map([...of].map(([start, value]) => [start, value === null ? null : Number(value)])),
        }))}
        format={(value) => String(value)}
      />
      <DataTable
        isFolded
        cells={{
          period_start: ({ period_start: start }) =>
            knownFrom(start) === start ? start : `${start}, known from ${knownFrom(start)}`,
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
    </section>
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

function lineName({ region, category_path, method, price_basis }: IndexValue): string {
  const of = category_path === null ? 'all' : text(category_path);
  return `${region}, ${of}: ${methods[method as keyof typeof methods]}, ${bases[price_basis as keyof typeof bases]}`;
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

function subjectsOf(p: Readonly<Partial<Record<'a' | 'b' | 'c' | 'd', string | undefined>>>): Subject[] {
  const given = [p.a, p.b, p.c, p.d].filter((one) => one !== undefined);
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
        <option value="uk" selected={value === 'uk'}>
          uk: all
        </option>
        <option value="ie" selected={value === 'ie'}>
          ie: all
        </option>
        {options.map(({ category_key, region, path }) => (
          <option key={category_key} value={category_key} selected={value === String(category_key)}>
            {region}: {text(path)}
          </option>
        ))}
      </select>
    </label>
  );
}
