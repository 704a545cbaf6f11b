-- Takes a region back to the instant before its window's first night (rewound.from_at), on the live tables: spells that
-- began later go, spells that ended later are open again, current values are those of that instant. Only this
-- transaction sees it. `before` has the facts of the window.

-- A replay reads no own pages.
create temporary table read_before on commit drop as
select c.product_key, c.detail_read_at
from rewound join catalog.product_current c using (region)
where c.detail_read_at is not null;

-- Keys for products that will be found again (publish.sql).
insert into kept_key (product_id, product_key)
select product_id, product_key
from rewound join catalog.product using (region)
where first_seen_at >= from_at;

-- Products that were found later go first: an id may have belonged to another article before.
create temporary table of_region on commit drop as
select product_key, first_seen_at >= from_at as is_later
from rewound
join catalog.product using (region);
create unique index on of_region (product_key);
analyze of_region;
delete from catalog.product_current c using of_region p where p.product_key = c.product_key and p.is_later;
delete from catalog.product c using of_region p where p.product_key = c.product_key and p.is_later;

-- Products with spells that begin or end in the window, offers that began later (nothing ended with them), or
-- promotions that begin or end in the window by their dates alone.
create temporary table changed on commit drop as
select product_key from before where kind not in ('meaning', 'detail')
union
select product_key from rewound w join catalog.product_current c using (region) where c.offer_since > w.until_at
union
select carried.product_key
from rewound w
join catalog.promotion using (region)
join catalog.product_promotion carried using (promotion_key)
cross join lateral (values (starts_at), (ends_at)) as date (at)
where carried.valid_from < w.from_at and coalesce(carried.valid_to >= w.from_at, true) and date.at <= w.until_at
  and date.at > coalesce((select max(observed_at) from ops.published_run r
    where r.region = w.region and r.observed_at < w.from_at), '-infinity');
analyze changed;

update catalog.product p
set (valid_from, title, tpnb, gtin, brand, image_url, seller, catch_weight_grams, charges, deposit_minor, extra,
    pack_size, pack_measure, pack_count, plain_name, match_key)
  = (h.valid_from, h.title, h.tpnb, h.gtin, h.brand, h.image_url, h.seller, h.catch_weight_grams, h.charges,
    h.deposit_minor, h.extra, h.pack_size, h.pack_measure, h.pack_count, h.plain_name, h.match_key)
from rewound w, catalog.product_history h
where p.region = w.region and h.product_key = p.product_key and h.valid_from < w.from_at and h.valid_to >= w.from_at;

-- The former entry hash of a product is not known, so its first observation is compared by value. A product without any
-- boundary in the window has the hash that it had. Whether a barcode was that of the own page has no history.
update catalog.product p
set replaced_at = case when p.replaced_at < w.from_at then p.replaced_at end,
  is_for_sale = coalesce((
    select s.availability = 'available' from catalog.availability_spell s
    where s.product_key = p.product_key and s.valid_from < w.from_at and s.availability in ('available', 'unavailable')
    order by s.valid_from desc limit 1), p.is_for_sale),
  has_gtin_of_details = exists (
    select from catalog.product_detail d
    where d.product_key = p.product_key and d.gtin = p.gtin and d.valid_from < w.from_at
      and coalesce(d.valid_to >= w.from_at, true)),
  entry_hash = '00000000-0000-0000-0000-000000000000'
from rewound w, changed
where p.product_key = changed.product_key and p.first_seen_at < w.from_at;

-- Current values. Offers are due on the first night.
update catalog.product_current c
set (price_minor, unit_price, unit_of_measure, price_since) = (
    select s.price_minor, s.unit_price, s.unit_of_measure, s.valid_from from catalog.price_spell s
    where s.product_key = c.product_key and s.valid_from < w.from_at and coalesce(s.valid_to >= w.from_at, true)),
  (availability, availability_since) = (
    select s.availability, s.valid_from from catalog.availability_spell s
    where s.product_key = c.product_key and s.valid_from < w.from_at and coalesce(s.valid_to >= w.from_at, true)),
  (loyalty_price_minor, offer_since) = (
    select s.loyalty_price_minor, s.valid_from from catalog.offer_spell s
    where s.product_key = c.product_key and s.valid_from < w.from_at and coalesce(s.valid_to >= w.from_at, true)),
  (leaf_key, leaf_since) = (
    select s.leaf_key, s.valid_from from catalog.leaf_spell s
    where s.product_key = c.product_key and s.valid_from < w.from_at and coalesce(s.valid_to >= w.from_at, true)),
  offer_changes_at = '-infinity'
from rewound w, changed
where c.product_key = changed.product_key;

-- Histories: of the region's products, whether they stay or went. Those that hold open spells open them again.
do $$
declare
  history text;
begin
  foreach history in array
    '{price_history,availability_history,offer_history,leaf_history,product_history}'::text[] loop
    execute format('delete from catalog.%I h using rewound w, of_region p
      where p.product_key = h.product_key and h.valid_to >= w.from_at', history);
  end loop;
  foreach history in array
    '{product_promotion,extra_listing,shown_price,product_nutrition,product_detail}'::text[] loop
    execute format('delete from catalog.%I h using rewound w, of_region p
      where p.product_key = h.product_key and h.valid_from >= w.from_at', history);
    continue when history = 'product_nutrition';
    execute format('update catalog.%I h set valid_to = null from rewound w, of_region p
      where p.product_key = h.product_key and h.valid_to >= w.from_at', history);
  end loop;
end $$;

-- Categories and promotions keep their rows and so their keys; those that no night names again go at the end.
update catalog.category c
set first_seen_at = case when c.first_seen_at < w.from_at then c.first_seen_at else 'infinity' end,
  last_seen_at = case when c.last_seen_at < w.from_at then c.last_seen_at end
from rewound w
where c.region = w.region and (c.first_seen_at >= w.from_at or c.last_seen_at >= w.from_at);

-- Certificates are written anew; what they say of nights that are not published yet must not be read.
update ops.certificate c set content_hash = null, verified_at = null, is_verified = null
from rewound w join ops.run r using (region)
where c.run_id = r.run_id and r.observed_at >= w.from_at;
