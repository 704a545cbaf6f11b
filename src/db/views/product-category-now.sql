create view marts.product_category_now as
select
  pc.product_key,
  c.category_key,
  c.region,
  c.category_id,
  c.depth
from catalog.product_category pc
join catalog.category_ancestor above on above.category_key = pc.category_key
join catalog.category c on c.category_key = above.ancestor_key
where pc.valid_to is null
group by pc.product_key, c.category_key;

comment on view marts.product_category_now is 'One row is a product in a category as the last published night left it, in its own categories and in all above them; one that is gone stays in those that its own breadcrumb named, not in others that listed it. bridge_product_category has the same with its history; this is quick to filter by one category.';
comment on column marts.product_category_now.product_key is 'Joins dim_product and product_now.';
comment on column marts.product_category_now.category_key is 'Joins dim_category.';
comment on column marts.product_category_now.region is 'uk or ie.';
comment on column marts.product_category_now.category_id is 'The upstream''s category id.';
comment on column marts.product_category_now.depth is 'Depth of the category, 0 at the top level.';
