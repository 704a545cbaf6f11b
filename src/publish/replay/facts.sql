-- What the catalogue says about a region's window: one row per spell that begins or ends from rewound.from_at to
-- rewound.until_at. Read before the rewind and after the last night, to be compared.

create temporary table fact on commit drop as
select fact.kind, p.product_key, coalesce(fact.other, 0) as other, fact.valid_from,
  case when fact.valid_to <= w.until_at then fact.valid_to end as valid_to, fact.value
from rewound w
join catalog.product p using (region)
join (
  select 'price', product_key, null::int, valid_from, valid_to, jsonb_build_object('price_minor', price_minor,
    'unit_price', trim_scale(unit_price), 'unit_of_measure', unit_of_measure)
  from catalog.price_spell
  union all
  select 'availability', product_key, null, valid_from, valid_to, jsonb_build_object('availability', availability)
  from catalog.availability_spell
  union all
  select 'offer', product_key, null, valid_from, valid_to,
    jsonb_build_object('loyalty_price_minor', loyalty_price_minor)
  from catalog.offer_spell
  union all
  select 'product', product_key, null, valid_from, valid_to, to_jsonb(v) - '{product_key,valid_from,valid_to}'::text[]
  from (
    select product_key, valid_from, replaced_at as valid_to, title, tpnb, gtin, brand, image_url, seller,
      catch_weight_grams, charges, deposit_minor, extra, pack_size, pack_measure, pack_count, plain_name, match_key
    from catalog.product
    union all
    select * from catalog.product_history
  ) as v
  union all
  select 'shown_price', product_key, null, valid_from, valid_to,
    jsonb_build_object('price_minor', price_minor, 'unit_price', trim_scale(unit_price))
  from catalog.shown_price
  union all
  select 'promotion', product_key, promotion_key, valid_from, valid_to, '{}' from catalog.product_promotion
  union all
  select 'category', product_key, category_key, valid_from, valid_to, '{}'
  from catalog.product_category where category_key is not null
  union all
  select 'detail', product_key, null, valid_from, valid_to,
    to_jsonb(d) - '{product_key,valid_from,valid_to,detail_hash}'::text[]
  from catalog.product_detail d
) as fact (kind, product_key, other, valid_from, valid_to, value) on fact.product_key = p.product_key
where (fact.valid_from >= w.from_at or fact.valid_to >= w.from_at) and fact.valid_from <= w.until_at;

-- The meaning of a promotion's text has no dates: it holds for all nights.
insert into fact
select 'meaning', 0, promotion_key, '-infinity', null, to_jsonb(p) - '{promotion_key,region,promotion_hash}'::text[]
from catalog.promotion p
join rewound w using (region)
where exists (
  select from catalog.product_promotion carried
  where carried.promotion_key = p.promotion_key and coalesce(carried.valid_to >= w.from_at, true));
