import { DateParameter, textUpTo } from '../../questions/parameters.ts';
import { fields } from '../../questions/question.ts';
import { sql } from '../../questions/sql.ts';
import { filled, TableCard } from '../data-table.tsx';
import { definePage, type Query } from '../page.ts';
import { Choice, Field, Filters, productHref } from '../parts.tsx';
import { unitPrice } from '../product-table.tsx';
import { longDate, nothing, text } from '../words.ts';

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

export const searchRanks = definePage({
  path: '/searches',
  nav: 'Searches',
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
    };
  },
  title: ({ keyword }, { keywords: { rows } }) => {
    const shown = keyword ?? rows[0]?.keyword;
    return shown === undefined ? 'Who comes first in a search' : `Who comes first in a search for “${text(shown)}”`;
  },
  lead: (_, { places: { rows } }) => {
    if (!rows[0]) return '';
    const { snapshot_date: on, before_on: before } = rows[0];
    const than = before === null ? 'for the first time' : `places before are those of ${longDate(before)}`;
    return `The first page of the shop’s own search on ${longDate(on)}, ${than}.`;
  },
  empty: ({ keywords }) =>
    keywords.rows.length === 0
      ? 'Here is who comes first when somebody searches the shop for a word such as milk, night by night. No word is ' +
        'searched for yet: set `SEARCH_KEYWORDS`, or search now with `pricebook search "milk" --save`.'
      : null,
  view: ({ parameters: p, tables: { places, keywords }, hrefWith }) => {
    return (
      <>
        <Filters action="/searches">
          <Choice
            name="keyword"
            label="Keyword"
            value={p.keyword ?? keywords.rows[0]!.keyword}
            options={Object.fromEntries(keywords.rows.map(({ keyword }) => [keyword, text(keyword)]))}
          />
          <Field name="date" label="Up to" value={p.date} type="date" />
        </Filters>
        <TableCard
          of={filled(places)}
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
        <TableCard
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
