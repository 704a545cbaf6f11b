create view marts.fct_search_rank as
select
  s.region,
  s.keyword,
  s.snapshot_date,
  s.rank,
  s.product_id,
  p.product_key,
  s.title,
  s.brand,
  marts.brand_key(s.brand) as brand_key,
  s.sponsored,
  s.is_for_sale,
  s.price_minor * 0.01 as price,
  region.currency,
  search.change_seq,
  search.updated_at
from catalog.search_rank s
join catalog.region region on region.region = s.region
left join catalog.product p on p.region = s.region and p.product_id = s.product_id and p.replaced_at is null
left join ops.keyword_search search
  on search.region = s.region and search.keyword = s.keyword and search.snapshot_date = s.snapshot_date;

comment on view marts.fct_search_rank is 'One row is a position on the first page of a search: keyword, night, rank.';
comment on column marts.fct_search_rank.region is 'uk; Ireland has no search.';
comment on column marts.fct_search_rank.keyword is 'Keyword of the search.';
comment on column marts.fct_search_rank.snapshot_date is 'Local date of the night.';
comment on column marts.fct_search_rank.rank is
  'Position on the page, from 1. A number is missing if its product could not be parsed.';
comment on column marts.fct_search_rank.product_id is 'The upstream''s product id.';
comment on column marts.fct_search_rank.product_key is 'Joins dim_product; null: no night has listed it.';
comment on column marts.fct_search_rank.title is 'Title as the search showed it.';
comment on column marts.fct_search_rank.brand is 'Brand as the search showed it.';
comment on column marts.fct_search_rank.brand_key is
  'Brand without differences of spelling, to group and filter by: lower case, no accents, no punctuation (MERIDIAN '
  'and Meridian are meridian). Null when brand is.';
comment on column marts.fct_search_rank.sponsored is
  'Whether it is shown for money; null: the page marks no product as that or as not that.';
comment on column marts.fct_search_rank.is_for_sale is 'Whether the search showed it as for sale.';
comment on column marts.fct_search_rank.price is
  'Price in the search result; for the price of a night see fct_price_daily.';
comment on column marts.fct_search_rank.currency is 'Currency of the price.';
comment on column marts.fct_search_rank.change_seq is
  'Change key of the page: rises whenever it is written, in commit order. product_key can change without it, when a '
  'night lists the product later.';
comment on column marts.fct_search_rank.updated_at is 'Instant of that change, by the clock of the program.';
