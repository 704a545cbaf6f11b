import { DateParameter, textUpTo } from '../../questions/parameters.ts';
import { fields } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import { dateOf, dayOf } from '../charts/days.ts';
import { PeriodChart } from '../charts/period-chart.tsx';
import { DataTable } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { Choice, Field, productHref } from '../parts.tsx';
import { unitPrice } from '../product-table.tsx';
import { nothing, text } from '../words.ts';

interface Place {
  readonly region: string;
  readonly product_id: string;
  readonly product_key: number | null;
  readonly title: string;
  readonly rank: number;
  readonly rank_before: number | null;
  readonly before_on: string | null;
  readonly sponsored: boolean | null;
  readonly unit_price: string | null;
  readonly unit_of_measure: string | null;
  readonly currency: string;
  readonly snapshot_date: string;
}

interface Share {
  readonly snapshot_date: string;
  readonly brand: string;
  readonly share_pct: string;
}

/** Number of lines with distinct styles. */
const brandsOfChart = 6;
const days = 92;

export const searchRanks = definePage({
  path: '/search-ranks',
  nav: 'Search',
  isOperations: true,
  about: 'Products on the first page of a search, with their previous rank.',
  parameters: {
    keyword: textUpTo(200).meta({ description: 'Keyword; by default the first one' }),
    date: DateParameter.optional().meta({ description: 'The last search up to this date' }),
  },
  queries: (p) => {
    const keyword =
      p.keyword === undefined
        ? sql`(select min(keyword) from marts.fct_search_rank where region = 'uk')`
        : sql`${p.keyword}`;
    const upTo = p.date === undefined ? sql`` : sql` and snapshot_date <= ${p.date}`;
    const night = sql`(
            select max(snapshot_date) from marts.fct_search_rank
            where region = 'uk' and keyword = ${keyword}${upTo})`;
    const before = sql`(
            select max(snapshot_date) from marts.fct_search_rank
            where region = 'uk' and keyword = ${keyword} and snapshot_date < ${night})`;
    return {
      places: {
        caption: 'The first page',
        sql: sql`
          select
            now_at.region, now_at.keyword, now_at.snapshot_date, now_at.rank, then_at.rank as rank_before,
            ${before} as before_on, now_at.product_id, now_at.product_key, now_at.title, now_at.brand,
            now_at.sponsored, now_at.is_for_sale, now_at.price, n.unit_price, n.unit_of_measure, now_at.currency
          from marts.fct_search_rank now_at
          left join lateral (
            select min(rank) as rank
            from marts.fct_search_rank then_at
            where then_at.region = 'uk' and then_at.keyword = now_at.keyword
              and then_at.snapshot_date = ${before} and then_at.product_id = now_at.product_id
          ) as then_at on true
          left join marts.product_now n on n.product_key = now_at.product_key
          where now_at.region = 'uk' and now_at.keyword = ${keyword} and now_at.snapshot_date = ${night}
          order by now_at.rank
          limit 200`,
        columns: [
          { name: 'rank', heading: 'Place', as: 'number' },
          { name: 'rank_before', heading: 'Before' },
          ...fields('title', 'brand'),
          { name: 'price', heading: 'Price shown', as: 'money' },
          { name: 'unit_price', heading: 'Per unit now' },
          { name: 'is_for_sale', heading: 'For sale', as: 'yes-no' },
          { name: 'sponsored', heading: 'Sponsored' },
        ],
        none: 'There is no search for this keyword.',
      } as Query<Place>,
      brands: {
        caption: 'Share of the first page by brand',
        sql: sql`
          select
            -- One brand is printed in several ways.
            snapshot_date, coalesce(min(min(brand)) over (partition by brand_key), 'no brand') as brand,
            count(*) as places,
            round(100.0 * count(*) / sum(count(*)) over (partition by snapshot_date), 2) as share_pct
          from marts.fct_search_rank
          where region = 'uk' and keyword = ${keyword}
            and snapshot_date between ${night} - ${days - 1}::int and ${night}
          group by snapshot_date, brand_key
          order by snapshot_date desc, share_pct desc, brand
          limit 2000`,
        columns: [
          ...fields('snapshot_date', 'brand'),
          { name: 'places', heading: 'Places', as: 'number' },
          { name: 'share_pct', heading: 'Share, %', as: 'number' },
        ],
      } as Query<Share>,
      keywords: {
        caption: 'Keywords',
        sql: sql`
          -- Jumps from keyword to keyword in the index instead of reading every search.
          with recursive known as (
            select min(keyword) as keyword from marts.fct_search_rank where region = 'uk'
            union all
            select (
              select min(r.keyword) from marts.fct_search_rank r
              where r.region = 'uk' and r.keyword > known.keyword)
            from known where known.keyword is not null
          )
          select
            keyword,
            (select max(r.snapshot_date) from marts.fct_search_rank r
              where r.region = 'uk' and r.keyword = known.keyword) as last_searched_on
          from known
          where keyword is not null
          order by keyword
          limit 500`,
        columns: [
          { name: 'keyword', heading: 'Keyword' },
          { name: 'last_searched_on', heading: 'Last on', as: 'date' },
        ],
      } as Query<{ readonly keyword: string }>,
      filters: {
        caption: 'Categories suggested by the search',
        sql: sql`
          select position, name, category_id
          from marts.fct_search_filter
          where region = 'uk' and keyword = ${keyword} and snapshot_date = ${night}
          order by position
          limit 100`,
        columns: [
          { name: 'position', heading: 'Place', as: 'number' },
          { name: 'name', heading: 'Category' },
        ],
        none: 'The search suggested no category.',
      } as Query,
    };
  },
  title: ({ keyword }, { keywords: { rows } }) => `Search: ${text(keyword ?? rows[0]?.keyword ?? 'nothing yet')}`,
  empty: ({ keywords }) =>
    keywords.rows.length === 0
      ? 'There is no search yet. Set SEARCH_KEYWORDS to search every night, or run `pricebook search "milk" --save`.'
      : null,
  view: ({ parameters: p, tables: { places, brands, keywords, filters }, hrefWith }) => {
    const first = places.rows[0];
    return (
      <>
        <form class="filters" action="/search-ranks" autocomplete="off">
          <Choice
            name="keyword"
            label="Keyword"
            value={p.keyword ?? keywords.rows[0]!.keyword}
            options={Object.fromEntries(keywords.rows.map(({ keyword }) => [keyword, text(keyword)]))}
          />
          <Field name="date" label="Up to" value={p.date} type="date" />
          <button type="submit">Show</button>
        </form>
        {first && (
          <p>
            Searched on {first.snapshot_date}
            {first.before_on === null ? ', for the first time' : `; places before are those of ${first.before_on}`}.
          </p>
        )}
        <DataTable
          of={places}
          cells={{
            rank_before: (row) => moved(row),
            title: (row) =>
              row.product_key === null ? (
                text(row.title)
              ) : (
                <a href={productHref(row.region, row.product_id)}>{text(row.title)}</a>
              ),
            unit_price: (row) => unitPrice(row),
            sponsored: (row) => (row.sponsored === null ? 'not marked' : row.sponsored ? 'yes' : 'no'),
          }}
        />
        <BrandChart rows={brands.rows} />
        <DataTable of={brands} isFolded={brands.rows.length > 0} />
        <DataTable of={filters} />
        <DataTable
          of={keywords}
          cells={{ keyword: (row) => <a href={hrefWith({ keyword: row.keyword, date: null })}>{text(row.keyword)}</a> }}
        />
      </>
    );
  },
});

/** Previous rank and the change; a smaller rank is better. */
function moved({ rank, rank_before, before_on }: Place): string {
  if (rank_before === null) return before_on === null ? nothing : 'new';
  if (rank_before === rank) return String(rank_before);
  return `${rank_before} ${rank < rank_before ? '▲ up' : '▼ down'} ${Math.abs(rank - rank_before)}`;
}

function BrandChart({ rows }: { rows: readonly Share[] }) {
  if (rows.length === 0) return null;
  const nights = [...new Set(rows.map(({ snapshot_date }) => snapshot_date))].sort();
  const first = dayOf(nights[0]!);
  const dates = Array.from({ length: dayOf(nights.at(-1)!) - first + 1 }, (_, i) => dateOf(first + i));
  const total = new Map<string, number>();
  for (const { brand, share_pct } of rows) total.set(brand, (total.get(brand) ?? 0) + Number(share_pct));
  const drawn = [...total].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, brandsOfChart);
  const brands = drawn.map(([brand]) => text(brand)).join(', ');
  return (
    <PeriodChart
      id="brands"
      title="Share of the first page by brand"
      description={`Percent of the places of ${brands} on ${nights.length} nights.`}
      periods={dates}
      series={drawn.map(([brand]) => {
        const shares = new Map(
          rows.filter((row) => row.brand === brand).map((row) => [row.snapshot_date, Number(row.share_pct)]),
        );
        // A brand missing from a first page has a share of 0; a night without a search has no value.
        return { name: text(brand), values: new Map(nights.map((night) => [night, shares.get(night) ?? 0])) };
      })}
      gapName="not searched"
      format={(value) => `${value} %`}
    />
  );
}
