create view marts.private_label as
select distinct brand.brand_key
-- The key of each spelling, not of each product.
from (select distinct p.brand from catalog.product p) as spelling
cross join lateral (select marts.brand_key(spelling.brand) as brand_key offset 0) as brand
where exists (
  select from catalog.private_label own
  where brand.brand_key = own.brand_key or starts_with(brand.brand_key, own.brand_key || ' '));

select ops.describe('marts.private_label', $$
One row is a brand of the supermarket itself: the brand_key of dim_product equals a name in catalog.private_label or
  begins with it. The owner of the database may insert and delete names there.
brand_key: Joins brand_key of dim_product and product_now.
$$);
