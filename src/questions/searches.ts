import { fields, lookedUp } from './columns.ts';
import { dateAbout, textUpTo } from './parameters.ts';
import { defineQuestion } from './question.ts';
import { sql } from './sql.ts';

export const searches = defineQuestion({
  name: 'searches',
  about: "products by their rank in the shop's own search, now and before",
  parameters: {
    keyword: textUpTo(200).meta({
      description: 'keyword of a saved search (default: where most moved)',
      label: 'Word',
    }),
    date: dateAbout('the last search up to it (default: the last)'),
  },
  columns: [
    ...fields('keyword', 'snapshot_date'),
    { name: 'rank', heading: 'Rank', as: 'number' },
    { name: 'rank_before', as: 'number', names: { '': 'new' } },
    ...fields('region', 'product_id', 'title', 'brand', 'price'),
    ...lookedUp('n', { name: 'unit_price', heading: 'Per unit now', as: 'money' }, ...fields('unit_of_measure')),
    ...fields('currency'),
    { name: 'is_for_sale', heading: 'For sale', as: 'yes-no' },
    ...fields('sponsored', 'product_key'),
  ],
  key: ['keyword', 'snapshot_date', 'rank'],
  table: () => ['rank', 'rank_before', 'title', 'price', 'is_for_sale', 'sponsored', 'product_id'],
  isWhole: true,
  async settle({ keyword, date = 'infinity' }, ask) {
    const { rows } = await ask(sql`
      select keyword
      from (
        select keyword, snapshot_date, max(snapshot_date) over (partition by keyword) as last,
          rank <> lag(rank) over (partition by keyword, product_id order by snapshot_date) as has_moved
        from marts.fct_search_rank
        where region = 'uk' and snapshot_date <= ${date}
      ) as search
      group by keyword order by count(*) filter (where snapshot_date = last and has_moved) desc, keyword limit 20`);
    const keywords = rows.map((row) => String(row['keyword']));
    return { keyword: keyword ?? keywords[0], date, keywords };
  },
  rows: ({ keyword = null, date = 'infinity' }) => sql`
    with search as (
      select *, dense_rank() over (order by snapshot_date desc) as ago
      from marts.fct_search_rank
      where region = 'uk' and keyword = ${keyword} and snapshot_date <= ${date}
    )
    select *
    from search
    left join (select product_id, min(rank) as rank_before from search where ago = 2 group by 1) as was
      using (product_id)
    where ago = 1`,
  order: () => sql`rank`,
  lookUp: () => sql`left join marts.product_now n on n.product_key = asked.product_key`,
  none: () => 'There is no such search. `pricebook search "milk" --save` saves one, SEARCH_KEYWORDS one a night.',
});
