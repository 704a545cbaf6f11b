-- Categories of products, and what is above a category, in the form in which most readers want them.

-- The deepest category of a product's breadcrumb, or of its own page's; null where none was known.
create view catalog.leaf_spell as
select product_key, leaf_key, valid_from, valid_to
from catalog.leaf_history
union all
select product_key, leaf_key, leaf_since, null
from catalog.product_current;

-- `source`: that category, or one that lists the product outside its breadcrumb. Null if unknown: with a condition,
-- the planner would not find products by the indexes of categories.
create view catalog.product_category as
select product_key, leaf_key as category_key, valid_from, valid_to, 'breadcrumb' as source
from catalog.leaf_spell
union all
select product_key, category_key, valid_from, valid_to, 'listing'
from catalog.extra_listing;

-- Every category with itself and all its ancestors. Of unnest, the planner would expect all categories.
create view catalog.category_ancestor as
select c.category_key, above.category_key as ancestor_key, above.category_key = c.category_key as is_itself
from catalog.category c
join catalog.category above on above.category_key = any (c.ancestors);
