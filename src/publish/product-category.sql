-- A product belongs to its breadcrumb's deepest category, and to each frontier category that lists it outside its
-- breadcrumb, directly or through walked children. If categories show the product with different breadcrumbs, it
-- belongs to the deepest category of each. A product leaves a category only by a run that is not partial, and a listing
-- only by a run that walked it and has no doubts about it.

create temporary table leaf on commit drop as
select w.product_key, c.category_key
from winner w
left join stage.category s on s.run_id = (select run_id from night) and s.category_no = w.leaf_no
join catalog.category c
  on c.region = (select region from night) and c.category_id = coalesce(s.category_id, w.leaf_id);

-- The frontier category that each walked category helps to cover.
create temporary table root on commit drop as
select crawl.category_no, root.category_id, c.category_key
from night
join ops.category_crawl crawl using (run_id)
join ops.category_crawl root on root.run_id = night.run_id and root.category_no = crawl.root_no
join catalog.category c on c.region = night.region and c.category_id = root.category_id;

create temporary table extra on commit drop as
select distinct listed.product_key, root.category_key
from (
  select unnest(page.extra_keys) as product_key, page.category_no
  from ops.category_page page
  where page.run_id = (select run_id from night)
  union all
  select p.product_key, s.category_no
  from stage.product s
  join catalog.product p on p.product_id = s.product_id and p.replaced_at is null
  where s.run_id = (select run_id from night) and p.region = (select region from night) and s.is_extra
) as listed
join root using (category_no);

-- Memberships missing from the winning observation: the breadcrumbs of the losing ones, or the category that listed
-- them.
insert into extra
select distinct p.product_key, coalesce(own.category_key, root.category_key)
from (
  select s.run_id, s.product_id, s.category_no, s.leaf_no, s.leaf_id
  from stage.product s
  left join winner w using (product_id)
  where s.run_id = (select run_id from night) and not s.is_extra
    and (w.product_id is null or (w.leaf_no, w.leaf_id) is distinct from (s.leaf_no, s.leaf_id))
  -- Few are left, so that the other joins come after.
  offset 0
) as s
join catalog.product p
  on p.region = (select region from night) and p.product_id = s.product_id and p.replaced_at is null
join root on root.category_no = s.category_no
left join stage.category named on named.run_id = s.run_id and named.category_no = s.leaf_no
left join catalog.category own
  on own.region = (select region from night) and own.category_id = coalesce(named.category_id, s.leaf_id);

-- Open breadcrumb memberships of changed products.
create temporary table former_leaf on commit drop as
select pc.product_key, pc.category_key
from winner w
join catalog.product_category pc on pc.product_key = w.product_key and pc.valid_to is null and pc.source = 'breadcrumb'
where not w.is_new;

-- If another page showed the product unchanged, its former breadcrumb is still valid with lower priority.
insert into extra
select product_key, category_key
from former_leaf
where product_key in (select product_key from unchanged_observation);
analyze extra;

-- Target memberships; one known from both sources counts as a breadcrumb. A partial run may have missed the page with
-- another breadcrumb, so former breadcrumbs it did not confirm become listing memberships.
create temporary table membership on commit drop as
select product_key, category_key, min(source) as source
from (
  select product_key, category_key, 'breadcrumb'::catalog.membership_source as source from leaf
  union all
  select product_key, category_key, 'listing' from extra
  union all
  select e.product_key, e.category_key, 'breadcrumb'
  from extra e
  join catalog.product_category pc using (product_key, category_key)
  where pc.valid_to is null and pc.source = 'breadcrumb'
    and e.product_key not in (select product_key from winner)
  union all
  select product_key, category_key, 'listing' from former_leaf where (select is_partial from night)
) as known
group by product_key, category_key;
analyze membership;

with in_doubt as materialized (
  select under.category_key, above.ancestor_key
  from night
  join catalog.category doubtful on doubtful.region = night.region and doubtful.category_id = any (night.doubted)
  join catalog.category_ancestor under on under.ancestor_key = doubtful.category_key
  join catalog.category_ancestor above on above.category_key = doubtful.category_key
),
-- Categories whose listing the run saw completely: those below a walked or removed category, except those in doubt.
fully_listed as materialized (
  select distinct below.category_key
  from night
  join catalog.category top using (region)
  left join ops.category_crawl crawl on crawl.run_id = night.run_id and crawl.category_id = top.category_id
  join catalog.category_ancestor below on below.ancestor_key = top.category_key
  where not night.is_partial
    and (top.last_seen_at is not null or crawl.category_no = crawl.root_no and not crawl.is_sample)
    and not exists (
      select from in_doubt d where d.category_key = below.category_key and d.ancestor_key = top.category_key)
),
-- Memberships that this night can decide; others stay unchanged.
told_membership as materialized (
  select product_key, category_key from former_leaf
  union all
  select pc.product_key, pc.category_key
  from catalog.product_category pc
  where pc.valid_to is null and pc.source = 'listing' and pc.category_key in (select category_key from fully_listed)
    and pc.product_key not in (
      select p.product_key
      from (select region, unnest(unconfirmed) as product_id from night) as kept
      join catalog.product p using (region, product_id)
      where p.replaced_at is null)
)
update catalog.product_category pc
set valid_to = (select observed_at from night)
from told_membership told
where pc.product_key = told.product_key and pc.category_key = told.category_key and pc.valid_to is null
  and not exists (
    select from membership m where m.product_key = told.product_key and m.category_key = told.category_key);

update catalog.product_category pc
set source = m.source
from membership m
where pc.product_key = m.product_key
  and pc.category_key = m.category_key
  and pc.valid_to is null
  and pc.source <> m.source;

insert into catalog.product_category (product_key, category_key, valid_from, source)
select m.product_key, m.category_key, (select observed_at from night), m.source
from membership m
where not exists (
  select from catalog.product_category pc
  where pc.product_key = m.product_key and pc.category_key = m.category_key and pc.valid_to is null)
order by m.product_key, m.category_key;
