-- The temporary tables of a publication, by its sections. They are made once and emptied: a transaction keeps the locks
-- of all tables that it made, and a replay publishes many nights in one.

create temporary table if not exists named (
  category_id text, parent_id text, name text, label text, depth smallint, path text, is_in_taxonomy bool
) on commit drop;
create temporary table if not exists root (
  category_no int, category_key int, is_whole bool, is_uncertain bool, seen int, is_in_taxonomy bool
) on commit drop;
create temporary table if not exists decided (category_key int) on commit drop;
create temporary table if not exists uncertain (category_key int) on commit drop;

-- Filled by a replay only, and not emptied between its nights.
create temporary table if not exists kept_key (product_id text, product_key int) on commit drop;
create temporary table if not exists seen (product_key int, category_no int, page_no int) on commit drop;
create temporary table if not exists winner on commit drop as
select product_key, true as is_new, product_id, entry_hash, tpnb, gtin, title, brand, image_url, seller,
  catch_weight_grams, charges, deposit_minor, extra, pack_size, pack_measure, pack_count, plain_name, match_key,
  is_for_sale, price_minor, unit_price, unit_of_measure, promotion_hashes, 0 as leaf_key
from stage.product
with no data;
create temporary table if not exists reassigned (product_key int) on commit drop;
create temporary table if not exists replaced (product_key int) on commit drop;
create temporary table if not exists unseen (
  product_key int, availability catalog.availability, availability_since timestamptz, leaf_key int, is_for_sale bool,
  is_gone bool
) on commit drop;
create temporary table if not exists touched (product_key int) on commit drop;

create temporary table if not exists former on commit drop as
select p.*, c.price_minor, c.unit_price, c.unit_of_measure
from catalog.product p
join catalog.product_current c using (product_key)
with no data;
create temporary table if not exists detail on commit drop as
select *, 0 as product_key from stage.detail
with no data;

create temporary table if not exists offered (product_key int, is_new bool, promotion_key int) on commit drop;

create temporary table if not exists change (
  product_key int, is_new bool, price_minor int, unit_price numeric, unit_of_measure text,
  availability catalog.availability, leaf_key int, is_on_promotion bool, loyalty_price_minor int,
  offer_changes_at timestamptz
) on commit drop;
create temporary table if not exists ended on commit drop as
select *, true as is_new_price, true as is_new_availability, true as is_new_leaf, true as is_new_offer
from catalog.product_current
with no data;
create temporary table if not exists placeholder (
  product_key int, price_minor int, unit_price numeric, unit_of_measure text
) on commit drop;
create temporary table if not exists extra (product_key int, category_key int) on commit drop;

truncate named, root, decided, uncertain, seen, winner, reassigned, replaced, unseen, touched, former, detail, offered,
  change, ended, placeholder, extra;
