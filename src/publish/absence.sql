-- Availability of products that a certified run did not see, from the temporary tables unseen_product and own_page.
-- They become absent, and delisted after `delist_after` certified nights in a row. Products in `unconfirmed` stay
-- unchanged. In categories in doubt (`doubted`), only products whose own page reports them gone change; otherwise a
-- permanently unreadable record would keep them forever.

insert into availability_change
with in_doubt as materialized (
  select distinct below.category_key
  from night
  join catalog.category top on top.region = night.region and top.category_id = any (night.doubted)
  join catalog.category_ancestor below on below.ancestor_key = top.category_key
)
select u.product_key, said.availability::catalog.availability
from unseen_product u
left join own_page page using (product_id)
cross join lateral (
  select case
    -- Certified nights without it so far, including this one.
    when (select delist_after from night) <= 1 + (
      select count(distinct r.snapshot_date)
      from ops.certified_run r
      join night using (region)
      where u.availability = 'absent'
        and r.observed_at >= u.availability_since and r.snapshot_date < night.snapshot_date) then 'delisted'
    when u.availability in ('available', 'unavailable') then 'absent'
  end as availability
) as said
where said.availability is not null
  and u.product_id not in (select unnest(unconfirmed) from night)
  and (page.says_gone or not exists (
    select from catalog.product_category pc
    join in_doubt using (category_key)
    where pc.product_key = u.product_key and pc.valid_to is null));
