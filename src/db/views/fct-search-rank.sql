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
  (s.price_minor * 0.01)::numeric(12, 2) as price,
  region.currency,
  s.change_seq,
  s.updated_at
from catalog.search_rank s
join catalog.region region on region.region = s.region
left join catalog.product p on p.region = s.region and p.product_id = s.product_id and p.replaced_at is null;

select ops.describe('marts.fct_search_rank', $$
One row is a position on the first page of a search: keyword, night, rank.
region: uk; Ireland has no search.
keyword: Keyword of the search.
rank: Position on the page, from 1. A number is missing if its product could not be parsed.
product_key: Joins dim_product; null: no night has listed it.
title: Title as the search showed it.
brand: Brand as the search showed it.
sponsored: Whether it is shown for money; null: the page marks no product as that or as not that.
is_for_sale: Whether the search showed it as for sale.
price: Price in the search result; for the price of a night see fct_price_daily.
change_seq: Change key of the page: rises whenever it is written, in commit order. product_key can change without it,
  when a night lists the product later.
$$);
