create view marts.product_now as
select
  p.region,
  p.product_id,
  p.product_key,
  p.tpnb,
  p.gtin,
  p.title,
  p.brand,
  marts.brand_key(p.brand) as brand_key,
  (case when shown.product_key is null then c.price_minor else shown.price_minor end * 0.01)::numeric(12, 2) as price,
  (c.price_minor * 0.01)::numeric(12, 2) as sale_price,
  c.unit_price as sale_unit_price,
  c.unit_of_measure as sale_unit_of_measure,
  region.currency,
  case when shown.product_key is null then c.unit_price else shown.unit_price end as unit_price,
  case when shown.product_key is null then c.unit_of_measure else shown.unit_of_measure end as unit_of_measure,
  (c.loyalty_price_minor * 0.01)::numeric(12, 2) as loyalty_price,
  c.availability::text as availability,
  c.availability = 'available' as is_for_sale,
  c.offer_since is not null as on_promotion,
  c.leaf_key as own_category_key
from catalog.product p
join catalog.region region on region.region = p.region
join catalog.product_current c on c.product_key = p.product_key
left join catalog.shown_price shown on shown.product_key = p.product_key and shown.valid_to is null
where p.replaced_at is null;

select ops.describe('marts.product_now', $$
One row is a product after the last published night, certified or not, including products that are gone with their last
  price. For averages, counts and minimum prices, keep availability in ('available', 'unavailable'). marts.as_of lists
  any night; this view is for finding products by any of its columns.
product_id: The upstream's product id; with region the natural key.
product_key: Joins dim_product. Newer products have higher keys.
price: Ordinary price in currency; null when it was listed without one. Of a product that is not for sale the last one
  shown, which is no offer; of one that is gone the last.
sale_price: Ordinary price in currency when it was last for sale: price where availability is available. An index has
  the order of (sale_price * 100)::int.
sale_unit_price: The same per unit_of_measure; an index has the order of (sale_unit_price * 10000)::bigint.
sale_unit_of_measure: Unit of sale_unit_price.
is_for_sale: Whether availability is available. An index has those of which it is false.
loyalty_price: Lowest price for loyalty members among the promotions in effect; null without one.
on_promotion: Whether any promotion was attached and in effect.
own_category_key: Its own category: the last of its breadcrumb, now or when it was last listed. Null when none is known.
$$, 'marts.dim_product');
