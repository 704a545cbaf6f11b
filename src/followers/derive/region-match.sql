-- Matches of British and Irish products. They follow from the products' state after a night: the last certified night
-- of one region against the last of the other.

-- forget
delete from derived.region_pair pair
using catalog.product p, catalog.region r
where p.product_key = case :region when 'uk' then pair.uk_product_key else pair.ie_product_key end
  and r.region = :region and p.valid_from >= (:from)::timestamp at time zone r.time_zone;

delete from derived.pair_price;

-- derive
create temporary table matched_night on commit drop as
select :region as region, :last as observed_at
union all
select run.region, max(run.observed_at)
from derived.night join ops.run using (run_id)
where run.region <> :region
group by run.region;

-- Changed products. Of the other region those changed by a partial run, whose earlier state counts. Every spell of
-- availability that begins follows one that ends, unless the product is new.
create temporary table product_to_match on commit drop as
select product_key
from (
  select p.product_key
  from catalog.product p
  join matched_night night using (region)
  where p.valid_from > case when p.region = :region then :before else night.observed_at end
  union
  select a.product_key
  from catalog.availability_history a
  join catalog.product p using (product_key)
  where p.region = :region and a.valid_to > :before
) as changed
-- The first derived night of the other region matches all products of both.
where (select count(*) from matched_night) = 2;
create unique index on product_to_match (product_key);
analyze product_to_match;

-- All products at once where many changed, and where a night is derived again: its changes may have left no trace.
create temporary table match_scope on commit drop as
select (select count(*) from matched_night) = 2 and (
    :before = '-infinity'
    or exists (select from derived.night_change where region = :region and snapshot_date >= :from)
    or (select count(*) from product_to_match) > 0.1 * reltuples) as is_full
from pg_class
where oid = 'catalog.product'::regclass;

-- Products of both regions that equal keys connect with changed ones, now or before. Matches never cross such a set.
insert into product_to_match
with recursive linked as (
  select product_key from product_to_match where not (select is_full from match_scope)
  union
  select other.product_key
  from linked
  cross join lateral (
    select gtin, tpnb, match_key from catalog.product p where p.product_key = linked.product_key
    union
    select gtin, tpnb, match_key from catalog.product_history h
    where h.product_key = linked.product_key and h.valid_to > :before
  ) as own
  cross join lateral (
    select product_key from catalog.product where gtin = own.gtin and catalog.is_trade_item_number(own.gtin)
    union all
    select product_key from catalog.product where tpnb = own.tpnb
    union all
    select product_key from catalog.product where match_key = own.match_key
  ) as other
)
select product_key from linked
union
select product_key from catalog.product where (select is_full from match_scope)
on conflict do nothing;
analyze product_to_match;

-- As known on their region's matched night, without later changes by partial runs. Barcodes count if both regions have
-- them and no other article may.
create temporary table keyed on commit drop as
with known as materialized (
  select product_key, p.region, version.*
  from product_to_match
  join catalog.product p using (product_key)
  join matched_night night using (region)
  cross join lateral (
    select p.valid_from, p.gtin, p.tpnb, p.brand, p.match_key, p.pack_size, p.pack_measure, p.pack_count
    where p.valid_from <= night.observed_at
    union all
    select h.valid_from, h.gtin, h.tpnb, h.brand, h.match_key, h.pack_size, h.pack_measure, h.pack_count
    from catalog.product_history h
    where p.valid_from > night.observed_at and h.product_key = p.product_key and h.valid_from <= night.observed_at
      and h.valid_to > night.observed_at
  ) as version
), barcode as (
  select gtin from known group by gtin having count(distinct region) = 2 and catalog.is_trade_item_number(gtin)
), spelling as (
  select brand, marts.brand_key(brand) as brand_key from known group by brand
)
select product_key, region, valid_from, known.gtin, barcode.gtin as barcode, tpnb, spelling.brand_key as brand,
  match_key as name, pack_size as content, pack_measure as measure, pack_count as pieces
from known
left join barcode on barcode.gtin = known.gtin
left join spelling on spelling.brand = known.brand;
analyze keyed;

-- Pairs with equal keys, each unique in its region at any time: a relisted product may follow another one under its
-- key, but a key of two simultaneous products is ambiguous. Tiers: barcode; base product number; brand, name and
-- content. A product matched by a lower tier, even ambiguously, is not matched again.
create temporary table found_pair (like derived.region_pair, is_match boolean) on commit drop;
do $$
begin
  for tier in 1..3 loop
    insert into found_pair (uk_product_key, ie_product_key, tier, score, since, is_match)
    with unmatched as materialized (
      select k.*, by_tier.key
      from keyed k
      cross join lateral (
        select case tier when 1 then k.barcode when 2 then k.tpnb
          else case when k.brand is not null and k.content is not null
            then concat_ws('|', k.brand, k.name, k.content, k.measure, coalesce(k.pieces, 0)) end end as key
      ) as by_tier
      where by_tier.key is not null
        and not exists (select from found_pair f where f.uk_product_key = k.product_key)
        and not exists (select from found_pair f where f.ie_product_key = k.product_key)
    ), repeated as (
      select region, key from unmatched group by region, key having count(*) > 1
    ), listed as (
      select k.region, k.key, k.product_key, min(a.valid_from) as since,
        max(case when a.valid_to <= night.observed_at then a.valid_to else 'infinity' end) as until
      from repeated
      join unmatched k on k.region = repeated.region and k.key = repeated.key
      join matched_night night on night.region = k.region
      join catalog.availability_spell a on a.product_key = k.product_key
        and a.availability in ('available', 'unavailable') and a.valid_from <= night.observed_at
      group by k.region, k.key, k.product_key
    ), succession as (
      select key, since, max(until) over (
        partition by region, key order by since, product_key
        rows between unbounded preceding and 1 preceding) as others_until
      from listed
    ), pair as (
      select uk.product_key as uk_product_key, ie.product_key as ie_product_key,
        greatest(uk.valid_from, ie.valid_from) as since,
        -- An equal code on two sizes is an error in a record.
        (uk.measure = ie.measure and not size.is_same) is not true as is_match,
        array[case when uk.barcode = ie.barcode then true
            when catalog.is_trade_item_number(uk.gtin) and catalog.is_trade_item_number(ie.gtin) then false end,
          uk.tpnb = ie.tpnb, uk.brand = ie.brand, uk.name = ie.name,
          uk.measure = ie.measure and size.is_same] as agreements
      from unmatched uk
      join unmatched ie on ie.key = uk.key and ie.region = 'ie'
      join catalog.product uk_product on uk_product.product_key = uk.product_key
      -- A price per kilogram is not compared with the price of a pack.
      join catalog.product ie_product on ie_product.product_key = ie.product_key
        and (ie_product.catch_weight_grams is null) = (uk_product.catch_weight_grams is null)
      -- Titles round the content: four pints are 2.272 or 2.27 litres. Sizes of an article differ by more.
      cross join lateral (
        select abs(uk.content - ie.content) <= 0.005 * greatest(uk.content, ie.content) as is_same
      ) as size
      where uk.region = 'uk' and not exists (select from succession s where s.key = uk.key and s.since < s.others_until)
    )
    select uk_product_key, ie_product_key, tier,
      (select round(avg(agrees::int), 2) from unnest(agreements) as agrees), since, is_match
    from pair;
    analyze found_pair;
  end loop;
end $$;

delete from derived.region_pair kept
where (
    exists (select from product_to_match m where m.product_key in (kept.uk_product_key, kept.ie_product_key))
    or not exists (select from catalog.product p where p.product_key = kept.uk_product_key)
    or not exists (select from catalog.product p where p.product_key = kept.ie_product_key))
  and not exists (
    select from found_pair found
    where found.uk_product_key = kept.uk_product_key and found.ie_product_key = kept.ie_product_key
      and (found.tier, found.score, found.since) = (kept.tier, kept.score, kept.since) and found.is_match);
insert into derived.region_pair (uk_product_key, ie_product_key, tier, score, since)
select uk_product_key, ie_product_key, tier, score, since from found_pair where is_match on conflict do nothing;

delete from derived.pair_price;
insert into derived.pair_price (snapshot_date, uk_product_key, ie_product_key, uk_leaf_key, uk_minor, ie_minor)
select snapshot_date, uk_product_key, ie_product_key, leaf_key,
  case when reason is distinct from 'not_listed_in_uk' then coalesce(100 * uk_price, -1) end,
  case when reason is distinct from 'not_listed_in_ie' then coalesce(100 * ie_price, -1) end
from (select least(max(other.snapshot_date), (select max(snapshot_date) from derived_night)) as date
  from derived.night other where region <> :region) as last
join marts.fct_region_gap on snapshot_date in (last.date, last.date - 28)
join catalog.product_current on product_key = uk_product_key
order by snapshot_date, uk_product_key;
