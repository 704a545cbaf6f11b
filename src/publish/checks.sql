-- The checks of a night: what our own bugs, or an upstream that changed, look like in the data. Runs after publish.sql
-- in its transaction, which is rolled back if a check holds the run. One row per check that found something: from
-- `warns_from` on it is reported, from `blocks_from` on it holds the run (null: never). In words: ops.finding_in_words.

with night_seen as materialized (
  select count(*)::int as products
  from (select product_key from seen union select product_key from winner) as product
), compared as materialized (
  select w.*, f.price_minor as former_price, f.unit_price as former_unit_price, f.gtin as former_gtin,
    f.brand as former_brand, f.tpnb as former_tpnb, f.image_url as former_image
  from winner w join former f using (product_key)
), lost as (
  select field, product_id, is_lost
  from compared
  cross join lateral (values
    ('gtin', former_gtin is not null and gtin is null),
    ('brand', former_brand is not null and brand is null),
    ('tpnb', former_tpnb is not null and tpnb is null),
    ('image', former_image is not null and image_url is null),
    ('price', former_price is not null and price_minor is null),
    ('unit-price', former_unit_price is not null and unit_price is null)
  ) as field (field, is_lost)
), listed_before as (
  select coalesce(base.products_listed, 0) as products
  from night left join ops.run base on base.run_id = night.base_run_id
), unreadable as materialized (
  select q.run_id = night.run_id as is_tonight, substring(q.path from '\]\.(.*)$') as field,
    count(distinct (q.payload_sha256, q.path)) as elements, (array_agg(distinct q.path))[1:5] as paths
  from night
  join ops.quarantine q on q.run_id in (night.run_id, night.base_run_id)
  where q.endpoint like '%-category-page'
  group by 1, 2
), received as (
  select sum(items_received) as elements from night join ops.category_page using (run_id)
), due as materialized (
  -- Products with promotions that had not ended; `is_over`: they carry none of them any more.
  select carried.product_key, bool_and(carried.valid_to is not null) as is_over
  from night join catalog.promotion p using (region)
  join catalog.product_promotion carried using (promotion_key)
  where (p.ends_at is null or p.ends_at > night.observed_at)
    and (carried.valid_to is null and carried.valid_from < night.observed_at or carried.valid_to = night.observed_at)
  group by carried.product_key
), answer (name, found, total, samples, warns_from, blocks_from) as (
  -- Pence read as pounds, or pounds as pence.
  select 'price-jump', count(*) filter (where is_jump), count(*),
    (array_agg(product_id order by product_id) filter (where is_jump))[1:5],
    1, greatest(5, 0.02 * count(*), 0.005 * (select products from night_seen))
  from compared
  cross join lateral (
    select price_minor >= 80::bigint * former_price or former_price >= 80::bigint * price_minor
  ) as compared_price (is_jump)
  where price_minor > 0 and former_price > 0

  union all
  -- Another region's pages: regions share ids and titles, but not prices; or many ids name other articles at once.
  select 'region-mix-up', count(c.product_key) + (select count(*) from reassigned), count(*),
    (array_agg(w.product_id order by w.product_id) filter (where c.product_key is not null))[1:5],
    1, greatest(20, 0.2 * count(*), 0.005 * (select products from night_seen))
  from night cross join winner w
  join catalog.region other on other.region <> night.region
  left join catalog.product p on p.region = other.region and p.product_id = w.product_id and p.title = w.title
  left join catalog.product_current c
    on c.product_key = p.product_key and c.price_minor = w.price_minor
      and c.unit_price is not distinct from w.unit_price
  where w.price_minor is not null

  union all
  -- A field that was renamed, or changed its form: products lost it ...
  select 'lost-' || lost.field, count(*) filter (where is_lost), greatest(max(listed_before.products), count(*)),
    (array_agg(product_id order by product_id) filter (where is_lost))[1:5],
    greatest(10, 0.005 * greatest(max(listed_before.products), count(*))),
    greatest(10, 0.05 * greatest(max(listed_before.products), count(*)))
  from lost
  cross join listed_before
  group by lost.field

  union all
  -- ... or it could not be read, in more elements than the night before. Barcodes and brands are odd by nature.
  select 'unreadable-' || lower(replace(tonight.field, '.', '-')), tonight.elements - coalesce(base.elements, 0),
    received.elements, tonight.paths, greatest(10, 0.005 * received.elements),
    case when tonight.field not in ('gtin', 'brand', 'price.unitPrice') then greatest(10, 0.02 * received.elements) end
  from unreadable tonight
  left join unreadable base on base.field = tonight.field and not base.is_tonight
  cross join received
  where tonight.is_tonight and tonight.field in ('title', 'price', 'price.price', 'isForSale', 'promotions', 'gtin',
    'brand', 'price.unitPrice')

  union all
  -- Promotions end on their days; hardly nearly all before, while none begins.
  select 'promotions-gone', count(*) filter (where is_over), count(*), null,
    greatest(20, 0.8 * count(*)), greatest(20, 0.8 * count(*))
  from due
  having not exists (select from winner where promotion_hashes is not null)

  union all
  -- Prices in the wrong unit on a night that has nothing to compare with: groceries cost a few pounds or euros. A later
  -- night may add only expensive products, such as garden furniture.
  select 'price-level', count(*), count(*), null, 50, greatest(50, 0.05 * (select products from night_seen))
  from winner
  where is_new and price_minor is not null
  having percentile_disc(0.5) within group (order by price_minor) not between 20 and 4000

  union all
  -- An upstream that serves a copy: nothing different, new or gone, on this night and those before it.
  select 'nothing-changed', 1 + count(*) filter (where is_quiet), 1 + count(*), null, 3, null
  from night
  left join lateral (
    select bool_and(c.changed = 0) over (order by r.observed_at desc) as is_quiet
    from ops.published_run r
    join ops.certificate c using (run_id)
    where r.region = night.region and r.observed_at < night.observed_at
    order by r.observed_at desc
    limit 3
  ) as earlier on true
  where night.changed = 0 and (select products from night_seen) >= 500
)
select name, found::int, total::int, coalesce(samples, '{}') as samples,
  case when found >= blocks_from then 'block' else 'warn' end::ops.severity as severity
from answer
where found >= warns_from
order by name;
