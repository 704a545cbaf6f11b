import { fields, type RowOf } from '../../questions/columns.ts';
import { contributions } from '../../questions/contributions.ts';
import { privateLabel } from '../../questions/private-label.ts';
import { promotionDepth } from '../../questions/promotion-depth.ts';
import { searches } from '../../questions/searches.ts';
import { sql } from '../../questions/sql.ts';
import { stores } from '../../questions/stores.ts';
import { unitPriceRank } from '../../questions/unit-price-rank.ts';
import { ruleNames, watch } from '../../questions/watch.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { TwoWayBar } from '../charts/spark.tsx';
import { searchOf } from '../kernel/addresses.ts';
import { filters } from '../kernel/blocks.tsx';
import { perUnitNow, priceNow } from '../kernel/cells.tsx';
import { blocksOf } from '../kernel/generic.tsx';
import { type Block, page } from '../kernel/page.ts';
import { Badge, Card, Chips } from '../kernel/parts.tsx';
import { Badges, products } from '../kernel/products.tsx';
import { table } from '../kernel/table.tsx';
import { dayAndMonth, longDate, percent, plural, share, text, unitName } from '../kernel/words.ts';
import { inCategory } from './category-links.tsx';
import { departments, nameOf, points, ranked } from './inflation-parts.tsx';

/** Share of products on offer by week. */
const depthChart: Block<RowOf<typeof promotionDepth>, unknown> = async ({ rows }) => {
  const { rows: weeks } = await rows({ limit: null });
  const values = new Map(weeks.map((week) => [week.week_starts_on, Number(week.share_on_promotion_pct)]));
  const [periods, last] = [[...values.keys()].sort(), weeks.at(-1)];
  if (periods.length < 2 || !last) return null;
  const title = 'Share of products on offer, by week, %';
  return (
    <Card title={title}>
      <PeriodChart
        {...{ id: 'depth', title, periods, series: [{ name: 'on offer', values }] }}
        description={`${plural(periods.length, 'week')} from ${longDate(periods[0]!)} on.`}
        // The last week may not be over.
        end={dateOf(dayOf(last.week_starts_on) + (last.nights ?? 7))}
        format={(value, decimals = 1) => value.toFixed(decimals)}
      />
    </Card>
  );
};

const promotionDepthPage = page(promotionDepth, {
  async title({ ask, rows, parameters }) {
    const { rows: weeks } = await rows({ limit: null });
    const week = weeks.findLast(({ nights }) => nights === 7) ?? weeks.at(-1);
    const where = await inCategory({ ask }, parameters);
    if (!week) return `No week of offers${where} is known`;
    const when = dayAndMonth(week.week_starts_on, 9);
    return `${share(week.share_on_promotion_pct)} of products${where} were on offer in the week of ${when}`;
  },
  blocks: [
    filters('region', 'category', 'since', 'until'),
    depthChart,
    (shown) => {
      const { region, category } = shown.parameters;
      const hrefOf = (since: string) =>
        `/promotions${searchOf({ region, category, since, until: dateOf(dayOf(since) + 6), sort: 'newest' })}`;
      const week = ({ week_starts_on: on }: { week_starts_on: string }) => <a href={hrefOf(on)}>{longDate(on)}</a>;
      return table<RowOf<typeof promotionDepth>>({ cells: { week_starts_on: week } })(shown);
    },
  ],
});

const contributionsPage = page(contributions, {
  async title({ ask, rows: read, parameters }) {
    const { rows } = await read({ limit: null });
    const size = ({ contribution_points: of }: (typeof rows)[number]) => Math.abs(Number(of));
    const [most] = ranked(rows).toSorted((one, other) => size(other) - size(one));
    if (!most) return `How prices moved${await inCategory({ ask }, parameters)}, by category`;
    const [own, all] = [most, rows[0]!].map((row) => points(row.contribution_points));
    return `${nameOf(most)} moved the index most, by ${own} points; all together by ${all}`;
  },
  blocks: [
    filters('region', 'category'),
    // The table of the page of the index, which takes several regions.
    (shown) =>
      departments({ ...shown, parameters: { ...shown.parameters, region: [shown.parameters.region] } } as never),
  ],
});

const privateLabelPage = page(privateLabel, {
  async title({ rows }) {
    const { rows: parts } = await rows({ limit: null });
    const gaps = parts.map(({ unit_price_gap_pct: gap }) => gap).filter((gap) => gap !== null);
    if (gaps.length === 0) return 'Private labels and brands';
    const cheaper = gaps.filter((gap) => Number(gap) < 0).length;
    const all = plural(gaps.length, 'category', 'categories');
    return `Private labels cost less per unit than brands in ${cheaper} of ${all}`;
  },
  blocks: [
    filters('region', 'category', 'period', 'brands'),
    async (shown) => {
      const { rows } = await shown.rows();
      const widest = Math.max(...rows.map(({ unit_price_gap_pct: gap }) => Math.abs(Number(gap))));
      const ownIn = (category: string | null) => searchOf({ region: shown.parameters.region, category, label: 'own' });
      return table<(typeof rows)[number]>({
        onPhone: ['category_path', 'private_label_share_pct', 'unit_price_gap_pct'],
        cells: {
          category_path: ({ category_path: category }) => (
            <a href={shown.hrefWith({ category })}>{text(category?.split(' > ').at(-1))}</a>
          ),
          private_label_products: ({ category_path: category, private_label_products: own }) => (
            <a href={`/find${ownIn(category)}`}>{own}</a>
          ),
          unit_price_gap_pct: ({ unit_price_gap_pct: gap }) => (
            <>
              {gap !== null && <TwoWayBar share={Number(gap) / widest} isClear />}
              <span class="figure">{gap === null ? 'no shelf' : percent(gap)}</span>
            </>
          ),
        },
      })(shown);
    },
  ],
});

const unitPriceRankPage = page(unitPriceRank, {
  async title({ rows: ask }) {
    const { rows } = await ask({ limit: null });
    const own = rows.find(({ is_asked }) => is_asked);
    if (own === undefined) return 'Rank by unit price';
    const first = rows.find((row) => row.unit_of_measure === own.unit_of_measure)!;
    const less = 100 * (1 - Number(first.unit_price) / Number(own.unit_price));
    const cheapest = less > 0 ? `: the cheapest costs ${share(less)} less` : '';
    const place = `number ${own.rank} of ${own.products} by price per ${unitName(own.unit_of_measure)}`;
    return `${text(own.title)} is ${place}${cheapest}`;
  },
  blocks: [
    filters('region', 'product'),
    products<RowOf<typeof unitPriceRank>, unknown>({
      title: '',
      below: (row) => (row.is_asked ? <Badge>asked for</Badge> : <Badges of={row.line} axis={null} />),
      cells: [
        { heading: 'Rank', isNamed: true, show: (row) => `${row.rank} of ${row.products}` },
        perUnitNow,
        priceNow,
      ],
    }),
  ],
});

const watchPage = page(watch, {
  async title({ rows }) {
    const { rows: events } = await rows({ limit: null });
    const [last] = events;
    if (!last) return 'Nothing has happened to these products yet';
    const when = dayAndMonth(last.snapshot_date, 9);
    return `${text(last.title)}: ${ruleNames[last.rule!]} on ${when}, the last of ${plural(events.length, 'event')}`;
  },
  blocks: blocksOf(watch),
});

const searchesPage = page(searches, {
  async title({ rows }) {
    const { rows: places } = await rows({ limit: null });
    const [first] = places;
    if (!first) return 'Ranks in the shop’s search';
    const moved = places.filter((row) => row.rank_before !== null && row.rank_before !== row.rank).length;
    const change = moved === 0 ? 'no place has changed' : `${moved} of ${plural(places.length, 'place')} have changed`;
    return `“${text(first.keyword)}” on ${dayAndMonth(first.snapshot_date, 9)}: ${text(first.title)} first; ${change}`;
  },
  blocks: [
    async ({ ask, hrefWith, rows }) => {
      const [shown] = (await rows({ limit: null })).rows;
      const words = await ask({
        caption: 'The words that are searched',
        columns: fields('keyword'),
        sql: sql`select distinct keyword from marts.fct_search_rank where region = 'uk' order by keyword limit 20`,
      });
      const links = words.map(({ keyword }) => [keyword, hrefWith({ keyword }), keyword === shown?.keyword] as const);
      return <Chips label="Words" of={links} />;
    },
    ...blocksOf(searches),
  ],
});

const storesPage = page(stores, {
  async title({ count, parameters: { near, within: miles = 10, words } }) {
    const { all_rows: all } = await count();
    const where = near ? ` within ${plural(miles, 'mile')} of ${near.latitude}, ${near.longitude}` : '';
    return `${all === 0 ? 'No store' : plural(all, 'store')}${words ? ` with “${words}”` : ''}${where}`;
  },
  blocks: [
    async ({ countBy, hrefWith }) => {
      const towns = (await countBy(sql`city`)).slice(0, 12);
      const links = towns.map(({ value: words, all_rows }) => [`${words} ${all_rows}`, hrefWith({ words })] as const);
      return links.length > 1 && <Chips label="Towns" said="Most stores:" of={links} />;
    },
    filters('words', 'country', 'near', 'within'),
    (shown) => {
      const town = ({ city: words }: RowOf<typeof stores>) => <a href={shown.hrefWith({ words })}>{text(words)}</a>;
      return table<RowOf<typeof stores>>({ cells: { city: town } })(shown);
    },
  ],
});

/** Pages that are little more than a heading that answers, filters and rows. */
export const shortPages = [
  ...[unitPriceRankPage, privateLabelPage, promotionDepthPage, contributionsPage, watchPage, searchesPage],
  storesPage,
];
