create view marts.fct_pack_change as
select
  c.region,
  p.product_id,
  c.product_key,
  c.snapshot_date,
  c.changed_at,
  p.title,
  c.route,
  c.old_size::numeric(22, 3) as old_size,
  c.new_size::numeric(22, 3) as new_size,
  c.measure as unit,
  ((c.new_size / c.old_size - 1) * 100)::numeric(16, 2) as size_change_pct,
  old.unit_price::numeric(16, 4) as old_unit_price,
  new.unit_price::numeric(16, 4) as new_unit_price,
  region.currency,
  ((new.unit_price / old.unit_price - 1) * 100)::numeric(16, 2) as unit_price_effect_pct,
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

select ops.describe('marts.fct_pack_change', $$
One row is a pack whose content has changed, confirmed by the third certified night that shows it. Two of title, details
  and unit price must agree, or the title and a new barcode.
product_id: The upstream's id of the product that is sold since the change.
snapshot_date: First certified night that shows the new pack instead of the old one.
route: Kind of change: in_place (same product, same barcode), new_gtin (same product, new barcode) or relaunch (one
  product left and a similar one arrived).
old_size: Amount in the whole pack before the change, in unit.
new_size: Amount in the whole pack after the change, in unit; smaller means shrinkflation.
unit: Measure of both sizes: g, ml or each.
size_change_pct: Change of the size in percent, two decimals; negative if it shrank.
old_unit_price: Price before the change divided by the old size, per kilogram, litre or piece, in currency; null if
  there was no price.
new_unit_price: Price after the change divided by the new size, per kilogram, litre or piece, in currency. The price is
  that of the first night that showed the change or, if it had none, of the confirming night; null if neither had one.
unit_price_effect_pct: Change of the unit price in percent, two decimals: the effect for buyers by weight. Positive:
  more expensive.
evidence: Evidence for the change, separated by ", ": title, details, unit price, gtin (a new barcode), tpnb (the same
  base product number), price (the same price).
score: Confidence from 0 to 1. In place 0.95 if two sources agree and 1 if three do; for a relaunch the similarity of
  the names, reduced by the days between leaving and arriving, at least 0.7.
former_product_id: The upstream's id of the product that it replaced; null unless it was relaunched.
confirmed_on: Second certified night after the first one that showed it, which confirmed it: the night of its
  change_seq. The product is listed on both; on the night between it may be missing.
change_seq: Change key of the data derived from the night: rises whenever it is written or changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed. A changed title does not raise it.
$$);
