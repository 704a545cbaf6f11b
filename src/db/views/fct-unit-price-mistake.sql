create view marts.fct_unit_price_mistake as
select
  p.region,
  p.product_id,
  m.product_key,
  p.title,
  m.valid_from,
  m.valid_to,
  (m.price_minor * 0.01)::numeric(12, 2) as price,
  m.unit_price::numeric(14, 4) as unit_price,
  m.expected_unit_price::numeric(16, 4) as expected_unit_price,
  m.unit_of_measure,
  region.currency,
  ((m.unit_price / m.expected_unit_price - 1) * 100)::numeric(16, 2) as off_pct,
  m.pack_size::numeric(22, 3) as pack_size,
  m.pack_measure,
  m.evidence,
  case when m.valid_to is null then change.open_seq else change.change_seq end as change_seq,
  case when m.valid_to is null then change.open_updated_at else change.updated_at end as updated_at
from derived.unit_price_mistake m
join catalog.product p using (product_key)
join catalog.region region on region.region = p.region
-- An ended spell has the key of the night that ended it.
left join derived.night_change change
  on change.region = p.region and change.snapshot_date = coalesce(m.valid_to, m.valid_from);

select ops.describe('marts.fct_unit_price_mistake', $$
One row is a spell of certified nights during which a listed product's unit price contradicted its price and the size in
  its title: a mistake by the supermarket, or a size that is not the content. Drained weights, weighed goods and
  incomparable measures are left out, and so are titles that the details contradict.
valid_from: Snapshot date of the first night of the spell.
valid_to: Snapshot date of the first night after the spell; null while it lasts.
price: Price of the pack in currency.
unit_price: Unit price as given, of one unit_of_measure, in currency.
expected_unit_price: Unit price computed from price and pack_size, in currency.
unit_of_measure: Measure of both unit prices: kg, litre or each.
off_pct: Deviation of the given unit price from the expected one, in percent; positive if it is too high.
pack_size: Amount in the whole pack according to the title, in pack_measure.
evidence: What the unit price contradicts: title, or title, details if both state the same.
change_seq: Change key of the row: rises whenever the spell begins or ends or its nights are changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed. A changed title does not raise it.
$$);
