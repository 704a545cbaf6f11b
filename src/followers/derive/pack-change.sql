-- Changes of pack content. A night confirms a change that the second certified night before it showed first: a change
-- must last three nights. A size that is read otherwise in an equal title is no change.

-- forget
delete from derived.pack_change where region = :region and confirmed_on >= :from;

-- derive
-- Confirming nights. Sources do not change at once, so the night before `before` counts, too.
create temporary table pack_night on commit drop as
select coalesce(earlier_at, before_at) as earlier_at, before_at, seen_at, seen_on, confirmed_at, confirmed_on
from (
  select observed_at as confirmed_at, snapshot_date as confirmed_on, lag(snapshot_date, 2) over nights as seen_on,
    lag(observed_at, 2) over nights as seen_at, lag(observed_at, 3) over nights as before_at,
    lag(observed_at, 4) over nights as earlier_at
  from derived_night
  window nights as (order by night_no)
) as night
where confirmed_on >= :from and before_at is not null;
analyze pack_night;

-- 1. A product changes ------------------------------------------------------------------------------------------------
-- Products with a new title or new details, at four moments for each confirming night.
create temporary table pack_shape on commit drop as
with event as (
  select p.product_key, p.valid_from
  from catalog.product p
  where p.region = :region and p.valid_from > (select min(before_at) from pack_night) and p.valid_from <= :last
    and p.valid_from > p.first_seen_at
  union
  select h.product_key, h.valid_from
  from catalog.product_history h join catalog.product p using (product_key)
  where p.region = :region and h.valid_from > (select min(before_at) from pack_night) and h.valid_from <= :last
    and h.valid_from > p.first_seen_at
  union
  select d.product_key, d.valid_from
  from catalog.product_detail d join catalog.product p using (product_key)
  where p.region = :region and d.valid_from > (select min(before_at) from pack_night) and d.valid_from <= :last
    and d.pack_size is not null
)
select n.confirmed_on, n.seen_on, event.product_key, event.changed_at, moment.name as moment,
  case when former.product_key is null then p.title else former.title end as title,
  case when former.product_key is null then p.pack_size else former.pack_size end as title_size,
  case when former.product_key is null then p.pack_measure else former.pack_measure end as title_measure,
  case when former.product_key is null then p.pack_count else former.pack_count end as title_count,
  case when former.product_key is null then p.gtin else former.gtin end as gtin,
  d.pack_size as listed_size, d.pack_measure as listed_measure, d.pack_count as listed_count,
  price.price_minor as offered_minor,
  case when shown.product_key is null then price.price_minor else shown.price_minor end as price_minor,
  case when shown.product_key is null then price.unit_price else shown.unit_price end as unit_price,
  case when shown.product_key is null then price.unit_of_measure else shown.unit_of_measure end as unit_of_measure
from pack_night n
cross join lateral (
  select product_key, max(valid_from) as changed_at
  from event
  where valid_from > n.before_at and valid_from <= n.seen_at
  group by product_key
) as event
join catalog.product p using (product_key)
cross join lateral (values
  ('earlier', greatest(n.earlier_at, p.first_seen_at)), ('before', greatest(n.before_at, p.first_seen_at)),
  ('seen', n.seen_at), ('confirmed', n.confirmed_at)
) as moment (name, at)
left join catalog.product_history former
  on former.product_key = p.product_key and former.valid_from <= moment.at and former.valid_to > moment.at
left join catalog.product_detail d
  on d.product_key = p.product_key and d.valid_from <= moment.at and (d.valid_to is null or d.valid_to > moment.at)
left join catalog.price_spell price
  on price.product_key = p.product_key and price.valid_from <= moment.at
  and (price.valid_to is null or price.valid_to > moment.at)
-- A price that is no offer still tells what the pack holds.
left join catalog.shown_price shown
  on shown.product_key = p.product_key and shown.valid_from <= moment.at
  and (shown.valid_to is null or shown.valid_to > moment.at)
where exists (
  select from catalog.availability_spell a
  where a.product_key = p.product_key and a.availability in ('available', 'unavailable')
    and a.valid_from <= n.confirmed_at and (a.valid_to is null or a.valid_to > n.confirmed_at));

-- Two of title, details and unit price must confirm it, or title or details and a new barcode, which new content
-- requires. Title or details changed on the first night and stayed unchanged until confirmation.
insert into derived.pack_change (region, product_key, changed_at, snapshot_date, confirmed_on, route, measure,
  old_size, new_size, old_price_minor, new_price_minor, evidence, score)
with pair as (
  -- The title decides or, without a size in it, the details.
  select a.confirmed_on, a.product_key, b.moment, told.*, a.listed_size as old_listed, b.listed_size as new_listed,
    a.listed_measure = told.measure and b.listed_measure = told.measure
      and a.listed_size <> b.listed_size as is_listed_other,
    fit.did_fit, fit.fits, fit.fits_as_before, coalesce(a.gtin <> b.gtin, false) as has_new_gtin
  from pack_shape a
  join pack_shape b using (confirmed_on, product_key)
  cross join lateral (
    select said_by, measure, old_size, old_count, new_size, new_count
    from (values
      (1, 'title', b.title_measure, case when a.title <> b.title then a.title_measure end, a.title_size,
        a.title_count, b.title_size, b.title_count),
      (2, 'details', b.listed_measure, a.listed_measure, a.listed_size, a.listed_count, b.listed_size, b.listed_count)
    ) as source (place, said_by, measure, old_measure, old_size, old_count, new_size, new_count)
    where measure = old_measure and old_size <> new_size
    order by place
    limit 1
  ) as told
  -- Whether a unit price follows from price and content; null if they are not comparable, as where the price equals the
  -- unit price: sold by weight, or a pack that counts as one piece. Rounding of a unit price: one penny for a price per
  -- 100 g is ten pence per kilogram.
  cross join lateral (
    select bool_or(fits) filter (where claim = 'did_fit') as did_fit,
      bool_or(fits) filter (where claim = 'fits') as fits,
      bool_or(fits) filter (where claim = 'fits_as_before') as fits_as_before
    from (values
      ('did_fit', a.price_minor, a.unit_price, a.unit_of_measure, told.old_size, told.old_count),
      ('fits', b.price_minor, b.unit_price, b.unit_of_measure, told.new_size, told.new_count),
      ('fits_as_before', b.price_minor, b.unit_price, b.unit_of_measure, told.old_size, told.old_count)
    ) as said (claim, price_minor, unit_price, unit_of_measure, size, pieces)
    cross join lateral (
      select price_minor * 0.01 as price, case
          when unit_of_measure = 'each' and told.measure = 'each' then size
          when unit_of_measure = 'each' then pieces
          when (replace(unit_of_measure, ' DR.WT', ''), told.measure) in (('kg', 'g'), ('litre', 'ml')) then size / 1000
        end as units
    ) as paid
    cross join lateral (
      select price / nullif(units, 0) as expected, case
          when unit_of_measure = 'each' then 0.01
          when unit_price % 1 = 0 and unit_price >= 10 then 1
          when unit_price * 10 % 1 = 0 then 0.1
          else 0.01
        end as rounding
    ) as unit
    cross join lateral (
      select case
          when not (price_minor > 0 and unit_price > 0 and size > 0) then null
          when units <> 1 and price = unit_price then null
          else abs(unit_price - expected) <= greatest(0.01 * expected, rounding / 2)
        end as fits
    ) as judged
  ) as fit
  where (a.moment, b.moment) in (('earlier', 'confirmed'), ('before', 'seen'))
), judged as (
  select *, said_by = 'details' or coalesce(is_listed_other
      -- Details may state the content of the pack or of one piece.
      and old_size in (old_listed, old_listed * coalesce(old_count, 1))
      and new_size in (new_listed, new_listed * coalesce(new_count, 1)), false) as is_in_details,
    coalesce(did_fit and fits and fits_as_before is not true, false) as is_paid_for
  from pair
  where moment = 'confirmed'
), counted as (
  select *, (said_by = 'title')::int + is_in_details::int + is_paid_for::int as sources from judged
), found as (
  select seen.product_key, seen.changed_at, seen.seen_on, seen.confirmed_on,
    case when c.has_new_gtin then 'new_gtin' else 'in_place' end as route, c.measure, c.old_size, c.new_size,
    before.offered_minor as old_minor, coalesce(seen.offered_minor, confirmed.offered_minor) as new_minor,
    concat_ws(', ', case when c.said_by = 'title' then 'title' end, case when is_in_details then 'details' end,
      case when is_paid_for then 'unit price' end, case when c.has_new_gtin then 'gtin' end) as evidence,
    case when sources + c.has_new_gtin::int >= 3 then 1 when c.has_new_gtin then 0.9 else 0.95 end as score
  from counted c
  join pair as first using (confirmed_on, product_key)
  join pack_shape as before using (confirmed_on, product_key)
  join pack_shape as seen using (confirmed_on, product_key)
  join pack_shape as confirmed using (confirmed_on, product_key)
  where first.moment = 'seen' and first.said_by = c.said_by and first.new_size = c.new_size
    and before.moment = 'before' and seen.moment = 'seen' and confirmed.moment = 'confirmed'
    and (sources >= 2 or c.has_new_gtin and c.fits is not false)
)
select :region, product_key, changed_at, seen_on, confirmed_on, route, measure, old_size, new_size, old_minor,
  new_minor, evidence, score
from found
order by confirmed_on, product_key
on conflict (product_key, snapshot_date) do nothing;

-- 2. A product takes the place of another -----------------------------------------------------------------------------
-- As they arrived or left, within these nights and the weeks before; on a region's first night all products arrive.
create temporary table event on commit drop as
select * from (
  select product_key, first_seen_at as moved_at, false as is_gone
  from catalog.product
  where region = :region and first_seen_at > (select min(observed_at) from ops.published_run where region = :region)
  union all
  select gone.product_key, gone.valid_from, true
  from catalog.availability_spell gone
  where gone.availability in ('absent', 'delisted')
    -- With DELIST_AFTER=1 a product is delisted at once; otherwise it was absent before.
    and not exists (
      select from catalog.availability_history former
      where former.product_key = gone.product_key and former.valid_to = gone.valid_from
        and former.availability = 'absent')
) as event
where moved_at <= :last and moved_at > (select min(before_at) from pack_night) - interval '42 days';
analyze event;
create temporary table moved on commit drop as
select p.product_key, event.moved_at, event.is_gone, pc.category_key,
  coalesce(marts.brand_key(version.brand), '') as brand, version.gtin, version.tpnb,
  version.plain_name, version.pack_size, version.pack_measure
from event
join catalog.product p using (product_key)
join catalog.product_category pc on pc.product_key = p.product_key and pc.valid_from <= event.moved_at
left join catalog.product_history former on former.product_key = p.product_key
  and former.valid_from <= event.moved_at and former.valid_to > event.moved_at
cross join lateral (
  select p.brand, p.gtin, p.tpnb, p.plain_name, p.pack_size, p.pack_measure
  where former.product_key is null
  union all
  select former.brand, former.gtin, former.tpnb, former.plain_name, former.pack_size, former.pack_measure
  where former.product_key is not null
) as version
where p.region = :region and (not event.is_gone or event.moved_at is distinct from p.replaced_at);
analyze moved;

-- Equal names without sizes but for added words, different content in the same measure, and different barcodes. Half or
-- double the content is another pack size of the same range. Ranges have many sizes, so the name alone proves nothing:
-- the price must have stayed, or the base product number. The score is the share of common words (1 with the same base
-- product number), reduced by the days between. A departed product has at most one successor, the most similar first.
do $$
declare
  pair record;
begin
  for pair in
    select distinct n.confirmed_on, n.seen_on, a.product_key, d.product_key as former_key, a.pack_measure,
      greatest(a.moved_at, d.moved_at) as changed_at, d.pack_size as old_size, a.pack_size as new_size, judged.score,
      old.price_minor as old_minor, new.price_minor as new_minor,
      concat_ws(', ', 'title', case when a.tpnb = d.tpnb then 'tpnb' end, case when a.gtin <> d.gtin then 'gtin' end,
        case when old.price_minor = new.price_minor then 'price' end) as evidence
    from moved a
    join moved d using (category_key, brand, pack_measure)
    join pack_night n
      on greatest(a.moved_at, d.moved_at) > n.before_at and greatest(a.moved_at, d.moved_at) <= n.seen_at
    left join catalog.price_spell old on old.product_key = d.product_key
      and old.valid_from <= d.moved_at and (old.valid_to is null or old.valid_to > d.moved_at)
    left join catalog.price_spell new on new.product_key = a.product_key
      and new.valid_from <= n.confirmed_at and (new.valid_to is null or new.valid_to > n.confirmed_at)
    cross join lateral (
      select case when a.tpnb = d.tpnb then 1
        when count(arrived.word) < count(*) and count(departed.word) < count(*) then 0
        else floor(100 * (1 - 0.2::float8 / 35 / 86400
            * abs(extract(epoch from a.moved_at - d.moved_at))::float8)
          * 2 * count(*) filter (where arrived.word = departed.word)
          / (count(arrived.word) + count(departed.word)) + 0.5) / 100 end as score
      from (select distinct string_to_table(a.plain_name, ' ') as word) as arrived
      full join (select distinct string_to_table(d.plain_name, ' ') as word) as departed using (word)
    ) as judged
    where not a.is_gone and d.is_gone and a.product_key <> d.product_key and (a.gtin = d.gtin) is not true
      and judged.score >= 0.7 and (a.tpnb = d.tpnb or old.price_minor = new.price_minor)
      and a.pack_size / d.pack_size > 0.5 and a.pack_size / d.pack_size < 2 and a.pack_size <> d.pack_size
      and a.moved_at - d.moved_at between interval '-35 days' and interval '35 days'
      and exists (
        select from catalog.availability_spell s
        where s.product_key = a.product_key and s.availability in ('available', 'unavailable')
          and s.valid_from <= n.confirmed_at and (s.valid_to is null or s.valid_to > n.confirmed_at))
      and not exists (
        select from catalog.availability_spell back
        where back.product_key = d.product_key and back.availability in ('available', 'unavailable')
          and back.valid_from > d.moved_at and back.valid_from <= n.confirmed_at)
    order by n.confirmed_on, judged.score desc, a.product_key, d.product_key
  loop
    insert into derived.pack_change (region, product_key, former_product_key, changed_at, snapshot_date, confirmed_on,
      route, measure, old_size, new_size, old_price_minor, new_price_minor, evidence, score)
    select :region, pair.product_key, pair.former_key, pair.changed_at, pair.seen_on, pair.confirmed_on, 'relaunch',
      pair.pack_measure, pair.old_size, pair.new_size, pair.old_minor, pair.new_minor, pair.evidence, pair.score
    where not exists (
      select from derived.pack_change c
      where c.former_product_key = pair.former_key
        or c.former_product_key is not null and c.product_key = pair.product_key
        or c.confirmed_on = pair.confirmed_on
          and (c.former_product_key = pair.product_key
            or c.former_product_key is not null and c.product_key = pair.former_key))
    on conflict (product_key, snapshot_date) do nothing;
  end loop;
end $$;
