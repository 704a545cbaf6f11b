create view marts.fct_search_filter as
select region, keyword, snapshot_date, position, category_id, name
from catalog.search_filter;

select ops.describe('marts.fct_search_filter', $$
One row is a category that a search proposed.
region: uk; Ireland has no search.
keyword: Keyword of the search.
snapshot_date: Local date of the night.
position: Position among the proposed categories, from 1.
category_id: The upstream's id; joins dim_category if the taxonomy has it.
name: Name of the category.
$$);
