import { basisNames, nightsOnly, priceIndex } from '../../questions/price-index.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { filters } from '../kernel/blocks.tsx';
import { page } from '../kernel/page.ts';
import { Card } from '../kernel/parts.tsx';
import { cutAt, dayAndMonth, longDate, percent, regionName, share, text } from '../kernel/words.ts';
import { CategoryLinks, categoriesAbove } from './category-links.tsx';
import {
  contributors,
  departments,
  type IndexBlock,
  isClear,
  monthOf,
  nameOf,
  newBasis,
  partsOf,
  restarts,
  within,
} from './inflation-parts.tsx';

const two = (value: string | null) => Number(value).toFixed(2);

/** The lines: regions, the category, and those that were added. */
const lines: IndexBlock = async ({ rows: ask, parameters: { period, basis } }) => {
  const { rows } = await ask({ limit: null });
  const keyOf = (row: (typeof rows)[number]) => `${row.region} ${row.category_key}`;
  const [first] = rows;
  // The table below says why.
  if (!first) return null;
  const starts = [...new Set(rows.map(({ period_start }) => period_start))].sort();
  const next = (start: string) => {
    if (period !== 'month') return dateOf(dayOf(start) + (period === 'week' ? 7 : 1));
    const [year, month] = start.split('-').map(Number) as [number, number];
    return dateOf(Date.UTC(year, month, 1) / 86_400_000);
  };
  const periods = [starts[0]!];
  while (periods.at(-1)! < starts.at(-1)!) periods.push(next(periods.at(-1)!));
  const title = `Price index by ${period === 'day' ? 'night' : period}`;
  const hasBoth = new Set(rows.map(({ region }) => region)).size > 1;
  const series = [...new Set(rows.map(keyOf))].slice(0, 6).map((key) => {
    const own = rows.filter((row) => keyOf(row) === key);
    const { region, category_path: path } = own[0]!;
    const place = regionName(region);
    const leaf = text(path?.split(' > ').at(-1) ?? (region === 'uk' ? 'UK' : 'Ireland'));
    return {
      name: `${place}, ${path === null ? 'everything' : text(path)}`,
      short: cutAt(hasBoth && path !== null ? `${leaf}, ${region}` : leaf, 22),
      base: own.at(-1)!.base_start,
      anew: restarts(own),
      values: new Map(own.map((row) => [row.period_start, row.value === null ? null : Number(row.value)])),
    };
  });
  const isOneBase = new Set(series.map(({ base }) => base)).size === 1;
  const last = rows.findLast((row) => keyOf(row) === keyOf(first) && row.value !== null);
  const drift = last ? `${two(last.value)} by GEKS-Jevons, ${two(last.jevons_chained)} by chained Jevons` : '';
  const restarted = series.filter(({ anew }) => anew.size > 0);
  return (
    <Card title={title} aside={isOneBase ? `100 = ${longDate(series[0]!.base)}` : '100 = where each line begins'}>
      <PeriodChart
        id="index"
        title={title}
        description={`From ${longDate(starts[0]!)} to ${longDate(starts.at(-1)!)}; 100 in the base period.`}
        periods={periods}
        end={next(periods.at(-1)!)}
        series={series}
        format={(value, decimals = 2) => value.toFixed(decimals)}
      />
      <p class="quiet">
        {restarted.map(({ name, base }) => `${name}: ${newBasis(base)}, because no product before could be compared. `)}
        {period === 'day' && `${nightsOnly} `}
        {drift !== '' && `Drift check: ${drift}. `}
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
      <ul class="crumbs">
        {[{ category_id: null, name: 'Everything' }, ...above.slice(0, -1)].map(({ category_id, name }) => (
          <li key={category_id}>
            <a href={hrefWith({ category: category_id, also: null })}>{text(name)}</a>
          </li>
        ))}
        <li>{text(chosen.name)}</li>
      </ul>
      <CategoryLinks region={region[0]!} category={chosen.category_id!} but="/index" />
    </>
  );
};

const articled = (name: string) => (name.startsWith('United') ? `the ${name}` : name);

export const inflationPage = page(priceIndex, {
  nav: 'Inflation',
  async title(shown) {
    const { region, category } = shown.parameters;
    const rows = await partsOf(shown);
    const [all] = rows;
    const known = all ? monthOf(all) : null;
    const of = category === undefined ? '' : ` of ${all ? nameOf(all) : text(category)}`;
    const prices = `Prices${of} in ${articled(regionName(region[0]!))}`;
    if (all?.new_basis_since && known === null) return `${prices}: ${newBasis(all.new_basis_since)}`;
    if (!all || known === null) return `${prices}, night by night`;
    const [since, ago] =
      all.change_30_pct === null
        ? [`since ${dayAndMonth(all.first_night!)}`, `on ${dayAndMonth(all.first_night!)}`]
        : ['in a month', 'a month ago'];
    const most = contributors(rows);
    if (!isClear(all)) return `${prices} show no clear change ${since} (${percent(known)}${within(all)})${most}`;
    return `${prices} are ${share(known)}${within(all)} ${Number(known) > 0 ? 'higher' : 'lower'} than ${ago}${most}`;
  },
  lead: () =>
    'The same products, compared night by night at shelf prices for the same content. New arrivals do not move it.',
  blocks: [trail, filters('period', 'basis', 'since'), lines, departments],
});
