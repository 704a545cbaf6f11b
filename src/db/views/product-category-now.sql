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

select ops.describe('marts.product_category_now', $$
One row is a product in a category after the last published night, in its own categories and all their ancestors. A
  product that is gone stays in the categories of its own breadcrumb, but not in others that listed it.
  bridge_product_category adds the history. Fast if products or categories are named, several of them by category_key =
  any (array(select ...)); a join to categories alone reads all products first.
$$);
