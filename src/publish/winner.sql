-- One observation of each product that is new or changed: the first in order of category id, then page. That order does
-- not depend on arrival and hardly changes from night to night, so a product that two categories show differently does
-- not flip to and fro. An observation of the catalogue's own version competes like any other.

-- Unnested in the select list: as a join, the planner would remember each page's array by its whole content.
create temporary table unchanged_observation on commit drop as
select unnest(page.seen_keys) as product_key, page.category_no, page.page_no
from ops.category_page page
where page.run_id = (select run_id from night);
analyze unchanged_observation (product_key);

create temporary table winner on commit drop as
select coalesce(known_key, reserved.product_key, nextval('catalog.product_product_key_seq'))::int as product_key,
  known_key is null as is_new, product_id, first_observation.listing_hash, first_observation.tpnb, first_observation.gtin,
  -- What could not be read stays as it was last.
  coalesce(first_observation.title, last.title, product_id) as title, first_observation.brand, first_observation.image_url,
  coalesce(first_observation.is_for_sale, last.is_for_sale, false) as is_for_sale, price_minor, unit_price, unit_of_measure,
  first_observation.seller, first_observation.catch_weight_grams, first_observation.charges, first_observation.deposit_minor,
  leaf_no, leaf_id, promotion_hashes, category_no, page_no
from (
  select distinct on (product_id) product_key as known_key, *
  from stage.listing
  where run_id = (select run_id from night)
  order by product_id, category_no, page_no, reading
) as first_observation
left join (
  select product_id, product_key from stage.reserved_key where region = (select region from night)
) as reserved using (product_id)
left join (
  select product_key, title, is_for_sale from catalog.product
) as last
  on last.product_key = known_key and (first_observation.title is null or first_observation.is_for_sale is null);

-- The staged forms that lost against another staged form.
insert into ops.conflict (run_id, product_id, forms, won_by_category_no, won_by_page_no, listing_hash)
select s.run_id, w.product_id, 1 + count(distinct s.listing_hash), w.category_no, w.page_no, w.listing_hash
from winner w
join stage.listing s on s.product_id = w.product_id and s.listing_hash <> w.listing_hash
where s.run_id = (select run_id from night)
group by s.run_id, w.product_id, w.category_no, w.page_no, w.listing_hash
on conflict do nothing;

-- Changed products that some page showed unchanged: where that page comes first, the catalogue's version wins.
create temporary table unchanged_winner on commit drop as
select distinct on (w.product_key) w.product_key, s.category_no, s.page_no,
  (s.category_no, s.page_no) < (w.category_no, w.page_no) as is_first
from unchanged_observation s
join winner w on w.product_key = s.product_key and not w.is_new
order by w.product_key, s.category_no, s.page_no;

insert into ops.conflict (run_id, product_id, forms, won_by_category_no, won_by_page_no, listing_hash)
select (select run_id from night), w.product_id, 2,
  case when u.is_first then u.category_no else w.category_no end,
  case when u.is_first then u.page_no else w.page_no end,
  case when u.is_first then p.listing_hash else w.listing_hash end
from unchanged_winner u
join winner w using (product_key)
join catalog.product p using (product_key)
on conflict (run_id, product_id) do update
  set forms = conflict.forms + 1, won_by_category_no = excluded.won_by_category_no,
    won_by_page_no = excluded.won_by_page_no, listing_hash = excluded.listing_hash;

delete from winner w using unchanged_winner u where w.product_key = u.product_key and u.is_first;

create unique index on winner (product_key);
-- Only the columns that joins are planned by; analysing the texts would cost more than the rest.
analyze winner (product_key, is_new, leaf_no, leaf_id);

-- What the catalogue says so far of those it knows.
create temporary table former on commit drop as
select p.product_key, p.valid_from, p.title, p.brand, p.tpnb, p.gtin, p.has_gtin_of_details, p.image_url, p.seller,
  p.catch_weight_grams, p.charges, p.deposit_minor, c.price_minor, c.unit_price, c.unit_of_measure
from winner w
join catalog.product p using (product_key)
join catalog.product_current c using (product_key)
where not w.is_new;
analyze former (product_key);
