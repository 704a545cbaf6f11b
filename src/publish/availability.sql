-- Listed products are available or unavailable. Only a certified run sets more: a listed product that it did not see
-- becomes absent or delisted (absence.sql), unless its own page still sells it. One exception needs no certified run: a
-- product whose id now belongs to another article is delisted. A product seen again is reopened.

create temporary table availability_change on commit drop as
select state.product_key, state.availability
from (
  select product_key,
    case when is_for_sale then 'available' else 'unavailable' end::catalog.availability as availability
  from winner
  -- The row of a new product begins with its availability (product-new.sql).
  where not is_new
) as state
join catalog.product_current c using (product_key)
where c.availability <> state.availability;

-- Products that returned with an unchanged listing.
insert into availability_change
select distinct p.product_key, case when p.is_for_sale then 'available' else 'unavailable' end::catalog.availability
from unchanged_observation s
join catalog.product_current c on c.product_key = s.product_key and c.availability in ('absent', 'delisted')
join catalog.product p on p.product_key = s.product_key
where p.product_key not in (select product_key from availability_change);

-- Products whose id now belongs to another article.
insert into availability_change
select product_key, 'delisted'
from catalog.product_current
where product_key = any ((select replaced from night)::int[])
  and availability <> 'delisted' and product_key not in (select product_key from availability_change);

-- Evidence of a product's own page. A page that exists but is neither for sale nor not found (for example out of stock)
-- proves neither.
create temporary table own_page on commit drop as
select d.product_id, coalesce(d.status = 'done' and s.status = 'AvailableForSale', false) as says_for_sale,
  coalesce(d.status = 'done' and (d.outcome = 'not_there' or s.status = 'ProductNotFound'), false) as says_gone
from night
join ops.detail_fetch d using (run_id)
left join stage.detail s using (run_id, product_id);
analyze own_page;

create temporary table unseen on commit drop as
select c.product_key, c.availability, c.availability_since
from catalog.product_current c
where (select is_certified from night) and c.availability <> 'delisted'
  and not exists (select from unchanged_observation s where s.product_key = c.product_key)
  and not exists (
    select from stage.product s where s.run_id = (select run_id from night) and s.product_key = c.product_key);
-- Usually few, so that the planner looks up their regions instead of reading the whole catalogue.
analyze unseen;

create temporary table unseen_product on commit drop as
select u.product_key, p.product_id, u.availability, u.availability_since
from unseen u
join catalog.product p using (product_key)
where p.region = (select region from night)
  and p.product_id not in (select product_id from own_page where says_for_sale);
