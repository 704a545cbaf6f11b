create view marts.fct_pack_change as
select
  c.region,
  p.product_id,
  c.product_key,
  c.snapshot_date,
  c.changed_at,
  p.title,
  c.route,
  c.old_size,
  c.new_size,
  c.measure as unit,
  round((c.new_size / c.old_size - 1) * 100, 2) as size_change_pct,
  round(old.unit_price, 4) as old_unit_price,
  round(new.unit_price, 4) as new_unit_price,
  region.currency,
  round((new.unit_price / old.unit_price - 1) * 100, 2) as unit_price_effect_pct,
  c.evidence,
  c.score,
  former.product_id as former_product_id,
  c.confirmed_on,
  change.change_seq,
  change.updated_at
from derived.pack_change c
join catalog.product p using (product_key)
join catalog.region region on region.region = c.region
left join derived.night_change change on change.region = c.region and change.snapshot_date = c.confirmed_on
left join catalog.product former on former.product_key = c.former_product_key
cross join lateral (select case when c.measure = 'each' then 1 else 1000 end) as per (units)
cross join lateral (select nullif(c.old_price_minor, 0) * 0.01 * per.units / c.old_size) as old (unit_price)
cross join lateral (select nullif(c.new_price_minor, 0) * 0.01 * per.units / c.new_size) as new (unit_price);

comment on view marts.fct_pack_change is 'One row is a pack that holds a different amount than before, confirmed by the third certified night that shows it. Two of title, details and unit price must agree, or the title and a new barcode.';
comment on column marts.fct_pack_change.region is 'uk or ie.';
comment on column marts.fct_pack_change.product_id is 'The upstream''s id of the product as it is sold since the change.';
comment on column marts.fct_pack_change.product_key is 'Joins dim_product.';
comment on column marts.fct_pack_change.snapshot_date is 'The first certified night that shows the new pack, and not the old one.';
comment on column marts.fct_pack_change.changed_at is 'The instant of the run that saw the change first.';
comment on column marts.fct_pack_change.title is 'Current title of the product.';
comment on column marts.fct_pack_change.route is 'How the change came: in_place (same product, same barcode), new_gtin (same product, new barcode) or relaunch (one product left and a like one arrived).';
comment on column marts.fct_pack_change.old_size is 'Amount in the whole pack before, in unit.';
comment on column marts.fct_pack_change.new_size is 'Amount in the whole pack after, in unit; smaller is shrinkflation.';
comment on column marts.fct_pack_change.unit is 'Measure of both sizes: g, ml or each.';
comment on column marts.fct_pack_change.size_change_pct is 'Change of the size in percent, two decimals; negative when it shrank.';
comment on column marts.fct_pack_change.old_unit_price is 'Price before the change divided by the old size, per kilogram, litre or piece, in currency; null when there was no price.';
comment on column marts.fct_pack_change.new_unit_price is 'Price of the night that showed the change first, or of the one that confirmed it where that had none, divided by the new size, per kilogram, litre or piece, in currency; null when neither had a price.';
comment on column marts.fct_pack_change.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.fct_pack_change.unit_price_effect_pct is 'Change of the unit price in percent, two decimals: what the change did to who buys by the kilogram. Positive: dearer.';
comment on column marts.fct_pack_change.evidence is 'What says so, separated by ", ": title, details, unit price, gtin (a new barcode), tpnb (the same base product number).';
comment on column marts.fct_pack_change.score is 'How sure it is, 0 to 1. In place 0.95 where two sources agree and 1 where three do; for a relaunch how alike the names are, less for the days between leaving and arriving, 0.7 at least.';
comment on column marts.fct_pack_change.former_product_id is 'The upstream''s id of the product that it took the place of; null unless it was relaunched.';
comment on column marts.fct_pack_change.confirmed_on is 'The second certified night after the one that showed it first, by which it was certain: the night of its change_seq. The product is listed on both; on the night between it may be missing.';
comment on column marts.fct_pack_change.change_seq is 'Change key of what is derived from the night: rises whenever that is written or changed, in the order in which changes are committed. Rows with a greater one than those of a copy are new or changed since. The title moves without it.';
comment on column marts.fct_pack_change.updated_at is 'Instant of that change, by the clock that the program ran on.';
