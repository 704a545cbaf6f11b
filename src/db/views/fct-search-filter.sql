create view marts.fct_search_filter as
select region, keyword, snapshot_date, position, category_id, name
from catalog.search_filter;

comment on view marts.fct_search_filter is 'One row is a category that a search proposed.';
comment on column marts.fct_search_filter.region is 'uk; Ireland has no search.';
comment on column marts.fct_search_filter.keyword is 'Keyword of the search.';
comment on column marts.fct_search_filter.snapshot_date is 'Local date of the night.';
comment on column marts.fct_search_filter.position is 'Position among the proposed categories, from 1.';
comment on column marts.fct_search_filter.category_id is
  'The upstream''s id; joins dim_category if the taxonomy has it.';
comment on column marts.fct_search_filter.name is 'Name of the category.';
