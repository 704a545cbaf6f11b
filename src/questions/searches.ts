import { fields, lookedUp } from './columns.ts';
import { dateAbout, textUpTo } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { sql } from './sql.ts';

export const searches = defineQuestion({
  name: 'searches',
  about: "products by their rank in the shop's own search, now and before",
  parameters: {
    keyword: textUpTo(200).meta({ description: 'keyword of a saved search (default: the first one)' }),
    date: dateAbout('the last search up to it (default: the last)'),
  },
  columns: [
    ...fields('keyword', 'snapshot_date'),
    { name: 'rank', heading: 'Place', as: 'number' },
    { name: 'rank_before', heading: 'Before', as: 'number', names: { '': 'new' } },
    ...fields('region', 'product_id', 'title', 'brand', 'price'),
    ...lookedUp('n', { name: 'unit_price', heading: 'Per unit now', as: 'money' }, ...fields('unit_of_measure')),
    ...fields('currency'),
    { name: 'is_for_sale', heading: 'For sale', as: 'yes-no' },
    ...fields('sponsored', 'product_key'),
  ],
  key: ['keyword', 'snapshot_date', 'rank'],
  table: () => ['title', 'rank', 'rank_before', 'price', 'is_for_sale', 'sponsored'],
  isWhole: true,
  rows: ({ keyword, date }) => {
    const wanted = keyword ?? sql`(select min(keyword) from marts.fct_search_rank where region = 'uk')`;
    const last = (upTo: ReturnType<typeof sql>) => sql`(
      select max(snapshot_date) from marts.fct_search_rank where region = 'uk' and keyword = ${wanted} and ${upTo})`;
    const night = last(date === undefined ? sql`true` : sql`snapshot_date <= ${date}`);
    return sql`
    select now_at.*, (
        select min(then_at.rank) from marts.fct_search_rank then_at
        where then_at.region = 'uk' and then_at.keyword = now_at.keyword and then_at.product_id = now_at.product_id
          and then_at.snapshot_date = ${last(sql`snapshot_date < ${night}`)}) as rank_before
    from marts.fct_search_rank now_at
    where region = 'uk' and keyword = ${wanted} and snapshot_date = ${night}`;
  },
  order: () => sql`rank`,
  lookUp: () => sql`left join marts.product_now n on n.product_key = asked.product_key`,
  none: () => 'There is no such search: set SEARCH_KEYWORDS, or search now with `pricebook search "milk" --save`.',
});
