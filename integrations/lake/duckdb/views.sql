-- Generated from build/lake; do not edit.
-- For DuckDB. Set the place of the lake, a folder or s3://bucket/prefix, then read the file:
--     install delta;
--     set variable lake = '/data/lake';
--     .read views.sql

create schema if not exists lake;

create schema if not exists marts;

create or replace view lake.prices as
select * from delta_scan(getvariable('lake') || '/prices');

create or replace view lake.products as
select * from delta_scan(getvariable('lake') || '/products');

create or replace view lake.promotions as
select * from delta_scan(getvariable('lake') || '/promotions');

create or replace view lake.price_changes as
select * from delta_scan(getvariable('lake') || '/price_changes');

create or replace view lake.night as
select region, snapshot_date, lag(snapshot_date) over (partition by region order by snapshot_date) as previous_date
from (select distinct region, snapshot_date from lake.prices) as night;

create or replace view lake.product as
select region, snapshot_date, product_key, product_id, title, brand, coalesce(categories, '') as categories
from lake.products;

create or replace view lake.sale_price as
select region, product_key, price, unit_price, unit_of_measure, snapshot_date as valid_from,
  coalesce(lead(snapshot_date) over (partition by region, product_key order by snapshot_date), date '9999-01-01')
    as valid_to
from lake.prices
where availability = 'available';

create or replace view lake.offer as
select region, snapshot_date, product_key, product_id, cast(price * 100 as bigint) as cents,
  cast(loyalty_price * 100 as bigint) as loyalty_cents, currency, unit_price, unit_of_measure, availability,
    on_promotion
from lake.prices
where availability = 'available'
union all
select p.region, p.snapshot_date, p.product_key, p.product_id, cast(s.price * 100 as bigint),
  cast(p.loyalty_price * 100 as bigint), p.currency, s.unit_price, s.unit_of_measure, p.availability, p.on_promotion
from lake.prices as p
left join lake.sale_price as s
  on s.region = p.region and s.product_key = p.product_key and s.valid_from <= p.snapshot_date
  and s.valid_to > p.snapshot_date
where p.availability = 'unavailable';

create or replace view lake.category_set as
select distinct categories, '' as path from lake.product
union all
select distinct categories, array_to_string(string_split(shelf, ' > ')[1:depth], ' > ') as path
from (
  select categories, unnest(string_split(categories, ' | ')) as shelf
  from (select distinct categories from lake.product where categories <> '') as named
) as shelves
cross join (select 1 as depth union all select 2 as depth union all select 3 as depth union all select 4 as depth union
  all select 5 as depth union all select 6 as depth union all select 7 as depth union all select 8 as depth) as depths
where depth <= (length(shelf) - length(replace(shelf, ' > ', ''))) / 3 + 1;

create or replace view marts.fct_price_daily as
select p.region, p.snapshot_date, p.product_id, p.product_key, v.title, p.price, p.currency, p.unit_price,
  p.unit_of_measure, p.loyalty_price, p.availability, p.on_promotion, v.brand
from lake.prices as p
join lake.product as v
  on v.region = p.region and v.snapshot_date = p.snapshot_date and v.product_key = p.product_key;

create or replace macro marts.as_of(of_region, on_date) as table (
select p.region, p.snapshot_date, p.product_id, p.product_key, v.title, p.price, p.currency, p.unit_price,
  p.unit_of_measure, p.loyalty_price, p.availability, p.on_promotion, v.brand
from lake.prices as p
join lake.product as v
  on v.region = p.region and v.snapshot_date = p.snapshot_date and v.product_key = p.product_key
where p.region = of_region
  and p.snapshot_date = (
    select max(night.snapshot_date) from lake.night as night
    where night.region = of_region and night.snapshot_date <= on_date));

create or replace view marts.fct_price_change as
select region, product_id, product_key, changed_at, snapshot_date, old_price, new_price, currency, change_pct
from lake.price_changes;

create or replace view lake.daily_count as
select o.region as region, o.snapshot_date as snapshot_date, v.categories as categories,
  case when o.availability = 'available' then o.cents end as cents,
  max(o.currency) as currency,
  count(*) as products_listed,
  count(o.cents) as priced,
  sum(case when o.availability = 'available' and o.cents >= 0 and o.on_promotion then 1 else 0 end) as promoted,
  sum(case when o.availability = 'available' and o.cents >= 0 and o.loyalty_cents >= 0 then 1 else 0 end) as loyal,
  sum(case when o.availability = 'available' and o.cents > 0 and o.loyalty_cents >= 0
    then (o.cents - o.loyalty_cents) / cast(o.cents as double) * 100 else 0 end) as discount_pct_sum
from lake.offer as o
join lake.product as v
  on v.region = o.region and v.snapshot_date = o.snapshot_date and v.product_key = o.product_key
group by o.region, o.snapshot_date, v.categories, case when o.availability = 'available' then o.cents end;

create or replace view lake.daily_move as
select later.region as region, later.snapshot_date as snapshot_date, w.categories as categories_before,
  v.categories as categories, max(later.currency) as currency, count(*) as priced_on_both,
  sum(case when later.cents > earlier.cents then 1 else 0 end) as price_increases,
  sum(case when later.cents < earlier.cents then 1 else 0 end) as price_decreases
from lake.offer as later
join lake.night as night on night.region = later.region and night.snapshot_date = later.snapshot_date
join lake.offer as earlier
  on earlier.region = later.region and earlier.product_key = later.product_key
  and earlier.snapshot_date = night.previous_date
join lake.product as v
  on v.region = later.region and v.snapshot_date = later.snapshot_date and v.product_key = later.product_key
join lake.product as w
  on w.region = earlier.region and w.snapshot_date = earlier.snapshot_date and w.product_key = earlier.product_key
where later.cents >= 0 and earlier.cents >= 0
group by later.region, later.snapshot_date, w.categories, v.categories;

create or replace view lake.daily_figure as
select region, snapshot_date, path, max(currency) as currency,
  sum(discount_pct_sum) as discount_pct_sum, sum(products_listed) as products_listed, sum(products_available) as
    products_available, sum(products_on_promotion) as products_on_promotion, sum(products_with_loyalty_price) as
      products_with_loyalty_price, sum(price_sum_cents) as price_sum_cents, sum(priced) as priced, sum(priced_before) as
        priced_before, sum(priced_on_both) as priced_on_both, sum(price_increases) as price_increases,
          sum(price_decreases) as price_decreases
from (
  select c.region as region, c.snapshot_date as snapshot_date, s.path as path, c.currency as currency,
    c.discount_pct_sum as discount_pct_sum, c.products_listed as products_listed,
    case when c.cents >= 0 then c.products_listed else 0 end as products_available,
    c.promoted as products_on_promotion, c.loyal as products_with_loyalty_price,
    coalesce(c.cents * c.products_listed, 0) as price_sum_cents, c.priced as priced, 0 as priced_before,
    0 as priced_on_both, 0 as price_increases, 0 as price_decreases
  from lake.daily_count as c
  join lake.category_set as s on s.categories = c.categories
  union all
  select c.region, night.snapshot_date, s.path, c.currency, 0.0, 0 as products_listed, 0 as products_available, 0 as
    products_on_promotion, 0 as products_with_loyalty_price, 0 as price_sum_cents, 0, c.priced, 0, 0, 0
  from lake.daily_count as c
  join lake.night as night on night.region = c.region and night.previous_date = c.snapshot_date
  join lake.category_set as s on s.categories = c.categories
  union all
  select m.region, m.snapshot_date, s.path, m.currency, 0.0, 0 as products_listed, 0 as products_available, 0 as
    products_on_promotion, 0 as products_with_loyalty_price, 0 as price_sum_cents, 0, 0, m.priced_on_both,
    m.price_increases, m.price_decreases
  from lake.daily_move as m
  join lake.category_set as s on s.categories = m.categories
  join lake.category_set as b on b.categories = m.categories_before and b.path = s.path
) as part
group by region, snapshot_date, path
having sum(part.products_listed) > 0 or sum(part.priced_before) > sum(part.priced_on_both) or path = '';

create or replace view lake.daily_median as
select region, snapshot_date, path,
  min(case when 2 * up_to >= products then cents end) + min(case when 2 * up_to > products then cents end)
    as median_price_doubled
from (
  select region, snapshot_date, path, cents,
    sum(listed) over (partition by region, snapshot_date, path order by cents) as up_to,
    sum(listed) over (partition by region, snapshot_date, path) as products
  from (
    select c.region as region, c.snapshot_date as snapshot_date, s.path as path, c.cents as cents,
      sum(c.products_listed) as listed
    from lake.daily_count as c
    join lake.category_set as s on s.categories = c.categories
    where c.cents >= 0
    group by c.region, c.snapshot_date, s.path, c.cents
  ) as at_price
) as ranked
group by region, snapshot_date, path;

create or replace view marts.fct_region_daily as
select f.region as region, f.snapshot_date as snapshot_date, f.products_listed as products_listed,
  f.products_available as products_available, f.products_on_promotion as products_on_promotion,
  f.products_with_loyalty_price as products_with_loyalty_price,
  case when f.products_available > 0
    then cast(cast(floor((20000 * (f.price_sum_cents) + 100 * f.products_available) / (2 * 100 * f.products_available))
      as bigint) * cast('0.0001' as decimal(18, 4)) as decimal(18, 4)) end as average_price,
  cast(m.median_price_doubled * cast('0.005' as decimal(18, 3)) as decimal(18, 3)) as median_price,
  case when f.products_with_loyalty_price > 0
    then round(f.discount_pct_sum / f.products_with_loyalty_price, 4) end as average_loyalty_discount_pct,
  case when night.previous_date is not null then f.priced - f.priced_on_both end as arrivals,
  case when night.previous_date is not null then f.priced_before - f.priced_on_both end as departures,
  case when night.previous_date is not null then f.price_increases end as price_increases,
  case when night.previous_date is not null then f.price_decreases end as price_decreases,
  f.currency as currency
from lake.daily_figure as f
join lake.night as night on night.region = f.region and night.snapshot_date = f.snapshot_date
left join lake.daily_median as m
  on m.region = f.region and m.snapshot_date = f.snapshot_date and m.path = f.path
where f.path = '';

create or replace view marts.fct_category_daily as
select f.region as region, f.snapshot_date as snapshot_date, length(f.path) - length(replace(f.path, ' > ', '  ')) as
  depth, f.path as path,
  f.products_listed as products_listed,
  f.products_available as products_available, f.products_on_promotion as products_on_promotion,
  f.products_with_loyalty_price as products_with_loyalty_price,
  case when f.products_available > 0
    then cast(cast(floor((20000 * (f.price_sum_cents) + 100 * f.products_available) / (2 * 100 * f.products_available))
      as bigint) * cast('0.0001' as decimal(18, 4)) as decimal(18, 4)) end as average_price,
  cast(m.median_price_doubled * cast('0.005' as decimal(18, 3)) as decimal(18, 3)) as median_price,
  case when f.products_with_loyalty_price > 0
    then round(f.discount_pct_sum / f.products_with_loyalty_price, 4) end as average_loyalty_discount_pct,
  case when night.previous_date is not null then f.priced - f.priced_on_both end as arrivals,
  case when night.previous_date is not null then f.priced_before - f.priced_on_both end as departures,
  case when night.previous_date is not null then f.price_increases end as price_increases,
  case when night.previous_date is not null then f.price_decreases end as price_decreases,
  f.currency as currency
from lake.daily_figure as f
join lake.night as night on night.region = f.region and night.snapshot_date = f.snapshot_date
left join lake.daily_median as m
  on m.region = f.region and m.snapshot_date = f.snapshot_date and m.path = f.path
where f.path <> '';

create or replace view marts.fct_promotion as
select distinct region, product_id, product_key, description, offer_type, kind, loyalty_price, currency, starts_at,
  ends_at, seen_from
from lake.promotions;
