-- A night, from staged run to history, in one transaction, which the caller (publish-night.ts) holds. Each section
-- decides one thing. The table `night` has one row: the run, its region and instant, and `is_certified`. A night that
-- is not certified changes only what it saw, products with their prices and promotions: nothing is absent or gone, and
-- an id that names another article stays as it was.

-- 1. Guard ------------------------------------------------------------------------------------------------------------
-- It is the caller's (lockForPublication): the region is locked, and a run that is published already, or was not staged
-- against the last published one, is refused. An error from here on, or a check that holds the night, undoes all.

set local work_mem = '64MB';
set local enable_nestloop = on;

\i publish-tables.sql

-- 2. Evidence ---------------------------------------------------------------------------------------------------------
-- Which categories there are, and whose listings this night saw whole.

\i taxonomy.sql

-- Requested categories with the one they help to cover. `is_whole`: walked, and certain by the certificate.
insert into root
select crawl.category_no, c.category_key, not e.is_sample and not e.is_uncertain, e.is_uncertain, e.seen,
  e.is_in_taxonomy
from night join ops.category_crawl crawl using (run_id)
join ops.category_evidence e on e.run_id = crawl.run_id and e.category_no = crawl.root_no
join catalog.category c on c.region = night.region and c.category_id = e.category_id;

-- A category that a certified taxonomy lacks is gone, except below one that was walked anyway and has products.
update catalog.category c
set last_seen_at = night.observed_at
from night
where night.is_certified and c.region = night.region and c.last_seen_at is null and c.label <> 'not in taxonomy'
  and not exists (select from named n where n.category_id = c.category_id and n.is_in_taxonomy)
  and not exists (
    select from root where root.category_key = any (c.ancestors) and root.seen > 0 and not root.is_in_taxonomy);

-- Categories whose lists of products this night can end, and those in whose products it proves nothing.
insert into decided
select c.category_key
from night join catalog.category c using (region)
where night.is_certified
  and (c.last_seen_at is not null
    or exists (select from root where root.is_whole and root.category_key = any (c.ancestors)));
insert into uncertain
select distinct c.category_key
from night join catalog.category c using (region)
join root on root.is_uncertain and root.category_key = any (c.ancestors);

-- 3. Seen and winner --------------------------------------------------------------------------------------------------
-- One observation per product: the first by category and page. That order does not depend on arrival and hardly changes
-- between nights, so a product that two categories show differently does not alternate.

-- Shown as the catalogue has it: pages keep only keys.
insert into seen
select unnest(page.seen_keys), page.category_no, page.page_no
from night
join ops.category_page page using (run_id);
analyze seen (product_key);

-- Shown differently, or new. An unread title or sale status keeps its value; a new product with a price and no word on
-- its sale is for sale. Keys are drawn in the order of ids, so that new rows extend their indexes at the end.
insert into winner
select coalesce(first.product_key, kept.product_key, nextval('catalog.product_product_key_seq')),
  first.product_key is null,
  first.product_id, first.entry_hash, first.tpnb, first.gtin, coalesce(first.title, titled.title, first.product_id),
  first.brand, first.image_url, first.seller, first.catch_weight_grams, first.charges, first.deposit_minor,
  first.extra, coalesce(first.pack_size, titled.pack_size), coalesce(first.pack_measure, titled.pack_measure),
  coalesce(first.pack_count, titled.pack_count), coalesce(first.plain_name, titled.plain_name),
  coalesce(first.match_key, titled.match_key),
  coalesce(first.is_for_sale, last.is_for_sale, first.price_minor is not null), first.price_minor, first.unit_price,
  first.unit_of_measure, first.promotion_hashes, leaf.category_key
from (
  select distinct on (s.product_id) night.region, s.*
  from night join stage.product s using (run_id)
  order by s.product_id, s.category_no, s.page_no, s.attempt_no
) as first
left join stage.category named on named.run_id = first.run_id and named.category_no = first.leaf_no
left join catalog.category leaf
  on leaf.region = first.region and leaf.category_id = coalesce(named.category_id, first.leaf_id)
left join catalog.product titled on titled.product_key = first.product_key and first.title is null
left join catalog.product last on last.product_key = first.product_key and first.is_for_sale is null
left join (
  -- A replay has taken the products of its nights out. Those that it finds again get the keys that they had.
  select k.product_id, min(k.product_key) as product_key
  from kept_key k
  where not exists (select from catalog.product p where p.product_key = k.product_key)
  group by k.product_id
) as kept on kept.product_id = first.product_id
-- An earlier page showed it as it was: the catalogue's version wins.
where not exists (
  select from seen
  where seen.product_key = first.product_key
    and (seen.category_no, seen.page_no) < (first.category_no, first.page_no))
order by first.product_id;
analyze winner (product_id, product_key, is_new, leaf_key);

-- No statistics are right in the middle of a first night, or of one much like it: there a hash join is never far from
-- the best plan, and a nested loop can take a thousand times as long.
select set_config('enable_nestloop', case
    when (select count(*) from winner) > 0.1 * greatest(reltuples, 0) then 'off' else 'on'
  end, true)
from pg_class
where oid = 'catalog.product'::regclass;

-- Ids that the upstream gave to another article: another brand, no word of the title in common, and another barcode or,
-- if one has none, another department; and no page shows the former one.
insert into reassigned
select w.product_key
from winner w join catalog.product p using (product_key)
join catalog.product_current c using (product_key)
left join catalog.category leaf on leaf.category_key = w.leaf_key
left join catalog.category former on former.category_key = c.leaf_key
where position(lower(w.brand) in lower(p.brand)) = 0 and position(lower(p.brand) in lower(w.brand)) = 0
  and (w.gtin <> p.gtin and catalog.is_trade_item_number(w.gtin) and catalog.is_trade_item_number(p.gtin)
    or (w.gtin is null or p.gtin is null) and leaf.ancestors[1] <> former.ancestors[1])
  and not exists (select from seen where seen.product_key = w.product_key)
  and not regexp_split_to_array(lower(w.title), '[^[:alpha:]]+') && array(
    select word from regexp_split_to_table(lower(p.title), '[^[:alpha:]]+') as word where length(word) >= 3);

-- Only a certified night ends the former article. On another what was read under its id is left out.
delete from winner
where product_key in (select product_key from night cross join reassigned where not night.is_certified);
insert into replaced
select product_key
from night cross join reassigned
where night.is_certified;
update winner w
set is_new = true, product_key = coalesce((
    select min(k.product_key)
    from kept_key k
    where k.product_id = w.product_id
      and not exists (select from catalog.product p where p.product_key = k.product_key)
  ), nextval('catalog.product_product_key_seq'))
where product_key in (select product_key from replaced);

-- Products not delisted yet that no page showed. Only a certified night says anything of them. An own page that is
-- neither for sale nor gone proves neither.
insert into unseen
select c.product_key, c.availability, c.availability_since, c.leaf_key,
  own_page.is_answered and s.status is not distinct from 'AvailableForSale',
  own_page.is_answered and (d.outcome = 'not_there' or s.status is not distinct from 'ProductNotFound')
from night join catalog.product_current c using (region)
join catalog.product p using (product_key)
left join ops.detail_fetch d on d.run_id = night.run_id and d.product_id = p.product_id
left join stage.detail s on s.run_id = night.run_id and s.product_id = p.product_id
cross join lateral (select coalesce(d.status = 'done', false) as is_answered) as own_page
where night.is_certified and c.availability <> 'delisted'
  and not exists (select from seen where seen.product_key = c.product_key)
  and not exists (
    select from stage.product shown where shown.run_id = night.run_id and shown.product_key = c.product_key);
analyze unseen (product_key);

-- All that may be different from the night before. The content hash is a sum over listed products: that of the last
-- published night, less what these were, and (at the end) plus what they are.
insert into touched
select product_key from winner
union
select product_key from replaced
union
select product_key from unseen
union
select c.product_key
from night join catalog.product_current c using (region)
where c.offer_changes_at <= night.observed_at
union
select c.product_key
from night join catalog.product_current c using (region)
join seen using (product_key)
where c.availability in ('absent', 'delisted')
union
select p.product_key
from night join stage.detail d using (run_id)
join catalog.product p using (region, product_id);
analyze touched;
update night
set hash_before = (
  select coalesce(sum(catalog.product_hash(n.product_id, n.title, n.price, n.currency, n.unit_price, n.unit_of_measure,
    n.loyalty_price, n.availability, n.on_promotion)), 0)
  from touched join marts.product_now n using (product_key)
  where n.availability in ('available', 'unavailable'));

-- 4. Attributes -------------------------------------------------------------------------------------------------------
-- Of the listing, then of products' own pages. A former version goes to the history.

update catalog.product
set replaced_at = (select observed_at from night)
where product_key in (select product_key from replaced);

insert into former
select p.*, c.price_minor, c.unit_price, c.unit_of_measure
from winner w join catalog.product p using (product_key)
join catalog.product_current c using (product_key);
analyze former (product_key);

with version as materialized (
  -- A barcode from the own page stays if the listing has none.
  select f.product_key, kept.gtin, w.gtin is null and f.has_gtin_of_details as has_gtin_of_details,
    (f.title, f.brand, f.tpnb, f.gtin, f.image_url, f.seller, f.catch_weight_grams, f.charges, f.deposit_minor,
      f.extra, f.pack_size, f.pack_measure, f.pack_count, f.plain_name, f.match_key)
    is distinct from (w.title, w.brand, w.tpnb, kept.gtin, w.image_url, w.seller, w.catch_weight_grams, w.charges,
      w.deposit_minor, w.extra, w.pack_size, w.pack_measure, w.pack_count, w.plain_name, w.match_key) as is_other
  from winner w join former f using (product_key)
  cross join lateral (select coalesce(w.gtin, case when f.has_gtin_of_details then f.gtin end)) as kept (gtin)
), ended as (
  insert into catalog.product_history (product_key, valid_from, valid_to, tpnb, gtin, title, brand, image_url, seller,
    catch_weight_grams, charges, deposit_minor, extra, pack_size, pack_measure, pack_count, plain_name, match_key)
  select f.product_key, f.valid_from, night.observed_at, f.tpnb, f.gtin, f.title, f.brand, f.image_url, f.seller,
    f.catch_weight_grams, f.charges, f.deposit_minor, f.extra, f.pack_size, f.pack_measure, f.pack_count, f.plain_name,
    f.match_key
  from night cross join version
  join former f using (product_key)
  where version.is_other
  order by f.product_key
)
update catalog.product p
set title = w.title, brand = w.brand, tpnb = w.tpnb, gtin = v.gtin, has_gtin_of_details = v.has_gtin_of_details,
  image_url = w.image_url, seller = w.seller, catch_weight_grams = w.catch_weight_grams, charges = w.charges,
  deposit_minor = w.deposit_minor, extra = w.extra, pack_size = w.pack_size, pack_measure = w.pack_measure,
  pack_count = w.pack_count, plain_name = w.plain_name, match_key = w.match_key, is_for_sale = w.is_for_sale,
  entry_hash = w.entry_hash,
  valid_from = case when v.is_other then (select observed_at from night) else p.valid_from end
from version v
join winner w using (product_key)
where p.product_key = v.product_key
  and (v.is_other or (p.is_for_sale, p.entry_hash, p.has_gtin_of_details)
    is distinct from (w.is_for_sale, w.entry_hash, v.has_gtin_of_details));

insert into catalog.product (product_key, region, product_id, tpnb, gtin, title, brand, image_url, seller,
  catch_weight_grams, charges, deposit_minor, extra, pack_size, pack_measure, pack_count, plain_name, match_key,
  is_for_sale, first_seen_at, valid_from, entry_hash)
overriding system value
select w.product_key, night.region, w.product_id, w.tpnb, w.gtin, w.title, w.brand, w.image_url, w.seller,
  w.catch_weight_grams, w.charges, w.deposit_minor, w.extra, w.pack_size, w.pack_measure, w.pack_count, w.plain_name,
  w.match_key, w.is_for_sale, night.observed_at, night.observed_at, w.entry_hash
from night cross join winner w
where w.is_new
order by w.product_key;

\i details.sql

-- 5. Promotions -------------------------------------------------------------------------------------------------------
-- Those of winners, and the spells in which products carry them.
insert into catalog.promotion (region, promotion_hash, description, offer_type, starts_at, ends_at, kind,
  loyalty_price_minor, loyalty_unit_price, loyalty_unit_measure, quantity, pay_quantity, deal_price_minor,
  save_percent, was_price_minor, now_price_minor, saving_minor, deposit_minor)
select night.region, s.promotion_hash, s.description, s.offer_type, s.starts_at, s.ends_at, s.kind,
  s.loyalty_price_minor, s.loyalty_unit_price, s.loyalty_unit_measure, s.quantity, s.pay_quantity, s.deal_price_minor,
  s.save_percent, s.was_price_minor, s.now_price_minor, s.saving_minor, s.deposit_minor
from night join stage.promotion s using (run_id)
where s.promotion_hash in (select unnest(promotion_hashes) from winner)
  and not exists (
    select from catalog.promotion p where p.region = night.region and p.promotion_hash = s.promotion_hash)
order by s.promotion_hash;

insert into offered
select distinct w.product_key, w.is_new, p.promotion_key
from night cross join winner w
cross join unnest(w.promotion_hashes) as carried (promotion_hash)
left join catalog.promotion p on p.region = night.region and p.promotion_hash = carried.promotion_hash;
analyze offered (product_key, promotion_key);

update catalog.product_promotion carried
set valid_to = (select observed_at from night)
from winner w
where not w.is_new and carried.product_key = w.product_key and carried.valid_to is null
  and not exists (
    select from offered o
    where o.product_key = carried.product_key and o.promotion_key = carried.promotion_key);

insert into catalog.product_promotion (product_key, promotion_key, valid_from)
select o.product_key, o.promotion_key, (select observed_at from night)
from offered o
where o.is_new
  or not exists (
    select from catalog.product_promotion carried
    where carried.product_key = o.product_key and carried.promotion_key = o.promotion_key and carried.valid_to is null)
order by o.product_key, o.promotion_key;

-- 6. Changes ----------------------------------------------------------------------------------------------------------
-- What every touched product is from now on, beside what it was.

with offer as materialized (
  -- The offer of each touched product: its promotions in effect now, and when the next of them begins or ends.
  select carried.product_key, coalesce(bool_or(effect.is_in), false) as is_on_promotion,
    min(p.loyalty_price_minor) filter (where effect.is_in and p.kind = 'loyalty_price') as loyalty_price_minor,
    min(case
      when p.starts_at > night.observed_at then p.starts_at
      when p.ends_at > night.observed_at then p.ends_at
    end) as offer_changes_at
  from night cross join touched t
  join catalog.product_promotion carried on carried.product_key = t.product_key and carried.valid_to is null
  join catalog.promotion p using (promotion_key)
  cross join lateral (
    select coalesce(p.starts_at <= night.observed_at, true) and coalesce(p.ends_at > night.observed_at, true)
  ) as effect (is_in)
  group by carried.product_key
), turn as materialized (
  -- Seen: available or not. Id given to another article: delisted. Unseen: as it was if its own page sells it, or if a
  -- category of it is uncertain and its own page does not say that it is gone; otherwise absent, and delisted from the
  -- `delist_after`-th certified night on.
  select product_key,
    case when p.is_for_sale then 'available' else 'unavailable' end::catalog.availability as availability
  from touched join catalog.product p using (product_key)
  where product_key in (select product_key from winner union all select product_key from seen)
  union all
  select product_key, 'delisted'
  from replaced
  union all
  select u.product_key,
    case when missed.nights >= night.delist_after then 'delisted' else 'absent' end::catalog.availability
  from night cross join unseen u
  cross join lateral (
    -- This night and earlier certified ones since it became absent, except those uncertain of its leaf.
    select 1 + count(distinct r.snapshot_date) as nights
    from ops.certified_run r
    where u.availability = 'absent' and r.region = night.region and r.observed_at >= u.availability_since
      and r.snapshot_date < night.snapshot_date
      and not exists (
        select from ops.category_evidence e
        join catalog.category top on top.region = r.region and top.category_id = e.category_id
        join catalog.category leaf on leaf.category_key = u.leaf_key
        where e.run_id = r.run_id and e.is_uncertain and top.category_key = any (leaf.ancestors))
  ) as missed
  where not u.is_for_sale
    and (u.is_gone or u.leaf_key is null or u.leaf_key not in (select category_key from uncertain))
    and (u.is_gone or not exists (
      select from catalog.extra_listing x
      join uncertain using (category_key)
      where x.product_key = u.product_key and x.valid_to is null))
)
-- A price shown while a product is not for sale is not an offer. Leaf: the winner's breadcrumb; without a winner the
-- present one; if that is none, the own page's.
insert into change
select t.product_key, coalesce(w.is_new, false),
  case when w.is_for_sale then w.price_minor else c.price_minor end,
  case when w.is_for_sale then w.unit_price else c.unit_price end,
  case when w.is_for_sale then w.unit_of_measure else c.unit_of_measure end,
  coalesce(turn.availability, c.availability),
  coalesce(case when w.product_key is null then c.leaf_key else w.leaf_key end, own_page.category_key),
  coalesce(offer.is_on_promotion, false), offer.loyalty_price_minor, offer.offer_changes_at
from night cross join touched t
left join catalog.product_current c using (product_key)
left join winner w using (product_key)
left join turn using (product_key)
left join offer using (product_key)
left join catalog.product_detail d on d.product_key = t.product_key and d.valid_to is null
left join catalog.category own_page on own_page.region = night.region and own_page.category_id = d.leaf_id;

-- 7. Histories --------------------------------------------------------------------------------------------------------
-- A row is written when a spell ends; the values in effect stand in product_current.

insert into ended
select c.*,
  (c.price_minor, c.unit_price, c.unit_of_measure) is distinct from (x.price_minor, x.unit_price, x.unit_of_measure),
  c.availability <> x.availability,
  c.leaf_key is distinct from x.leaf_key,
  (c.offer_since is not null, c.loyalty_price_minor) is distinct from (x.is_on_promotion, x.loyalty_price_minor)
from change x
join catalog.product_current c using (product_key)
where (c.price_minor, c.unit_price, c.unit_of_measure, c.availability, c.leaf_key, c.offer_since is not null,
    c.loyalty_price_minor, c.offer_changes_at)
  is distinct from (x.price_minor, x.unit_price, x.unit_of_measure, x.availability, x.leaf_key, x.is_on_promotion,
    x.loyalty_price_minor, x.offer_changes_at);

insert into catalog.price_history (product_key, price_minor, valid_from, valid_to, unit_price, unit_of_measure)
select product_key, price_minor, price_since, observed_at, unit_price, unit_of_measure
from night cross join ended
where is_new_price
order by product_key;
insert into catalog.availability_history (product_key, availability, valid_from, valid_to)
select product_key, availability, availability_since, observed_at
from night cross join ended
where is_new_availability
order by product_key;
insert into catalog.offer_history (product_key, loyalty_price_minor, valid_from, valid_to)
select product_key, loyalty_price_minor, offer_since, observed_at
from night cross join ended
where is_new_offer and offer_since is not null
order by product_key;
insert into catalog.leaf_history (product_key, leaf_key, valid_from, valid_to)
select product_key, leaf_key, leaf_since, observed_at
from night cross join ended
where is_new_leaf
order by product_key;

update catalog.product_current c
set price_minor = x.price_minor, unit_price = x.unit_price, unit_of_measure = x.unit_of_measure,
  availability = x.availability, leaf_key = x.leaf_key, loyalty_price_minor = x.loyalty_price_minor,
  offer_changes_at = x.offer_changes_at,
  price_since = case when e.is_new_price then night.observed_at else e.price_since end,
  availability_since = case when e.is_new_availability then night.observed_at else e.availability_since end,
  leaf_since = case when e.is_new_leaf then night.observed_at else e.leaf_since end,
  offer_since = case
    when x.is_on_promotion and e.is_new_offer then night.observed_at
    when x.is_on_promotion then e.offer_since
  end
from night cross join ended e
join change x using (product_key)
where c.product_key = e.product_key;
insert into catalog.product_current (product_key, region, price_minor, unit_price, unit_of_measure, availability,
  leaf_key, loyalty_price_minor, offer_changes_at, price_since, availability_since, leaf_since, offer_since)
select product_key, night.region, price_minor, unit_price, unit_of_measure, availability, leaf_key,
  loyalty_price_minor, offer_changes_at, night.observed_at, night.observed_at, night.observed_at,
  case when is_on_promotion then night.observed_at end
from night cross join change
where is_new
order by product_key;

-- When own pages were read. A request made during the night stays for the next one.
update catalog.product_current c
set detail_read_at = night.observed_at
from night join ops.detail_fetch d using (run_id)
join catalog.product p on p.region = night.region and p.product_id = d.product_id and p.replaced_at is null
where d.status = 'done' and c.product_key = p.product_key
  and (c.detail_read_at is null or c.detail_read_at < night.observed_at)
  and (c.detail_read_at is distinct from '-infinity' or d.reason = 'requested');

\i shown-price.sql

-- 8. Memberships ------------------------------------------------------------------------------------------------------
-- A product belongs to its leaf (product_current), and to categories that list it outside its breadcrumb: the walked
-- category of the page, or the leaf of another breadcrumb. Only a category that is gone or was seen whole loses one.

insert into extra
select distinct listed.product_key, listed.category_key
from (
  select page.product_key, root.category_key
  from (
    select unnest(p.extra_keys) as product_key, p.category_no from night join ops.category_page p using (run_id)
  ) as page
  join root using (category_no)
  union all
  select p.product_key,
    case when s.is_extra then root.category_key else coalesce(leaf.category_key, root.category_key) end
  from night join stage.product s using (run_id)
  join root using (category_no)
  join catalog.product p on p.region = night.region and p.product_id = s.product_id and p.replaced_at is null
  left join stage.category shelf on shelf.run_id = s.run_id and shelf.category_no = s.leaf_no
  left join catalog.category leaf
    on leaf.region = night.region and leaf.category_id = coalesce(shelf.category_id, s.leaf_id)
  union all
  -- Its former leaf, if another page showed it there, or this night cannot tell.
  select e.product_key, e.leaf_key
  from ended e
  where e.is_new_leaf and e.leaf_key is not null
    and (e.product_key in (select product_key from seen) or e.leaf_key not in (select category_key from decided))
) as listed
join catalog.product_current c using (product_key)
where listed.category_key is distinct from c.leaf_key;
analyze extra;

update catalog.extra_listing x
set valid_to = (select observed_at from night)
from catalog.product_current c
where x.valid_to is null and c.product_key = x.product_key and c.region = (select region from night)
  and (x.category_key = c.leaf_key or x.category_key in (select category_key from decided))
  and not exists (select from extra e where e.product_key = x.product_key and e.category_key = x.category_key);
insert into catalog.extra_listing (product_key, category_key, valid_from)
select product_key, category_key, (select observed_at from night)
from extra e
where not exists (
  select from catalog.extra_listing x
  where x.product_key = e.product_key and x.category_key = e.category_key and x.valid_to is null)
order by product_key, category_key;

-- 9. Seal -------------------------------------------------------------------------------------------------------------
-- Hash and counts, which the caller writes to the certificate in the same commit as the run's state.

update night
set content_hash = (
    select coalesce(sum(catalog.product_hash(n.product_id, n.title, n.price, n.currency, n.unit_price,
      n.unit_of_measure, n.loyalty_price, n.availability, n.on_promotion)), 0)
    from touched join marts.product_now n using (product_key)
    where n.availability in ('available', 'unavailable')
  ) + coalesce((
    select base.content_hash - night.hash_before from ops.certificate base where base.run_id = night.base_run_id), 0),
  (products_listed, products_available) = (
    select count(*), count(*) filter (where c.availability = 'available')
    from catalog.product_current c
    where c.region = night.region and c.availability in ('available', 'unavailable')),
  changed = (select count(*) from winner)
    + (select count(*) from unseen where availability in ('available', 'unavailable'));
