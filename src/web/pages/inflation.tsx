import { basisNames, nightsOnly, priceIndex } from '../../questions/price-index.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { filters } from '../kernel/blocks.tsx';
import { page } from '../kernel/page.ts';
import { Card } from '../kernel/parts.tsx';
import { articled, cutAt, longDate, regionName, text } from '../kernel/words.ts';
import { CategoryLinks, Crumbs, categoriesAbove } from './category-links.tsx';
import {
  baseOf,
  departments,
  type IndexBlock,
  movedWords,
  nameOf,
  nameOfPeriod,
  partsOf,
  restarts,
  timeOf,
  withError,
} from './inflation-parts.tsx';

/** The lines: regions, the category, and those that were added. */
const lines: IndexBlock = async (shown) => {
  const { period, basis } = shown.parameters;
  const settled = shown.parameters as unknown as { nights: Record<'first' | 'last', string>; isLong: boolean };
  const { nights, isLong } = settled;
  const { rows } = await shown.rows({ limit: null });
  const keyOf = (row: (typeof rows)[number]) => `${row.region} ${row.category_key}`;
  const [first] = rows;
  // The table below says why.
  if (!first) return null;
  // The first week or month is drawn from the first night, and the last one to the last.
  const drawnFrom = ({ period_start: start }: (typeof rows)[number]) => [start, nights.first].sort()[1]!;
  const starts = [...new Set(rows.map(drawnFrom))].sort();
  const next = (start: string) => {
    const day = dayOf(start);
    // Day 4 was a Monday.
    if (period !== 'month') return dateOf(day + (period === 'week' ? 7 - ((day + 3) % 7) : 1));
    const [year, month] = start.split('-').map(Number) as [number, number];
    return dateOf(Date.UTC(year, month, 1) / 86_400_000);
  };
  const periods = [starts[0]!];
  while (periods.at(-1)! < starts.at(-1)!) periods.push(next(periods.at(-1)!));
  const title = `Price index by ${period === 'day' ? 'night' : period}`;
  const series = [...new Set(rows.map(keyOf))].slice(0, 6).map((key) => {
    const own = rows.filter((row) => keyOf(row) === key);
    const { region, category_path: path } = own[0]!;
    const place = region === 'uk' ? 'UK' : 'Ireland';
    return {
      name: `${regionName(region)}, ${path === null ? 'everything' : text(path)}`,
      short: path === null ? place : `${cutAt(text(path.split(' > ').at(-1)), 14)}, ${place}`,
      base: baseOf(own.at(-1)!, rows),
      anew: restarts(own),
      values: new Map(own.map((row) => [drawnFrom(row), row.value === null ? null : Number(row.value)])),
      // Areas of several lines would hide each other.
      errors: new Map(key === keyOf(first) ? own.map((row) => [drawnFrom(row), Number(row.plus_minus)]) : []),
    };
  });
  const isOneBase = new Set(series.map(({ base }) => base)).size === 1;
  const some = rows.filter((row) => keyOf(row) === keyOf(first) && period !== 'day' && !row.is_complete);
  const restarted = series.filter(({ anew }) => anew.size > 0);
  return (
    <Card title={title} aside={isOneBase && `100 = ${series[0]!.base}`}>
      {/* One step says no more than its number. */}
      {periods.length > 2 && (
        <PeriodChart
          id="index"
          title={title}
          description={`From ${longDate(starts[0]!)} to ${longDate(starts.at(-1)!)}; 100 in the base period.`}
          periods={periods}
          end={[next(periods.at(-1)!), dateOf(dayOf(nights.last) + 1)].sort()[0]!}
          series={series}
          format={(value, decimals = 2) => value.toFixed(decimals)}
        />
      )}
      <p class="quiet">
        {restarted.map(
          ({ name, base }) => `${name}: new basis since ${base}, because no product before could be compared. `,
        )}
        {period === 'day' && isLong && `${nightsOnly} `}
        {some.length > 0 && `Incomplete: ${some.map(nameOfPeriod).join(', ')}. `}
        {`Method: GEKS-Jevons of ${basisNames[basis]}. `}
        <a href="/docs/analyse/method">How it is computed</a>
      </p>
    </Card>
  );
};

/** The chosen category below those above it, and other pages about it. */
const trail: IndexBlock = async ({ ask, hrefWith, parameters: { region, category } }) => {
  if (category === undefined) return null;
  const above = await ask(categoriesAbove(region[0]!, category));
  const chosen = above.at(-1);
  if (!chosen) return null;
  return (
    <>
      <Crumbs
        of={[{ category_id: null, name: 'Everything' }, ...above].map((one) => [
          one.name,
          one === chosen ? null : hrefWith({ category: one.category_id, also: null }),
        ])}
      />
      <CategoryLinks region={region[0]!} category={chosen.category_id!} but="/index" />
    </>
  );
};

export const inflationPage = page(priceIndex, {
  nav: 'Inflation',
  async title(shown) {
    const { region, category } = shown.parameters;
    const { parts, names } = await partsOf(shown);
    const [[all], [, to]] = [parts, names];
    const of = category === undefined ? '' : ` of ${all ? nameOf(all) : text(category)}`;
    const prices = `Prices${of} in ${articled(regionName(region[0]!))}${to ? ` ${timeOf(to)}` : ''}`;
    return movedWords(prices, all, names);
  },
  async lead(shown) {
    const { period = 'day', basis } = shown.parameters;
    const how = `The same products, compared by ${period === 'day' ? 'night' : period} at ${basisNames[basis]}`;
    const { rows } = await shown.rows({ limit: null });
    const own = rows.filter(
      ({ region, category_key: key }) => region === rows[0]!.region && key === rows[0]!.category_key,
    );
    const [first, last] = [own[0], own.at(-1)];
    if (!first || !last || period !== 'day' || first.period_start !== last.base_start) return `${how}.`;
    const [change, error] = withError(String(Number(last.value) - 100), last.plus_minus);
    return `Since ${longDate(first.period_start)}, when the chart begins: ${change}${error}. ${how}.`;
  },
  blocks: [trail, filters('period', 'basis', 'since'), lines, departments],
});
