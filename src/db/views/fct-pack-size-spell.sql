create view marts.fct_pack_size_spell as
select
  p.region,
  p.product_id,
  s.product_key,
  s.valid_from,
  s.valid_to,
  s.pack_size::numeric(22, 3) as pack_size,
  s.pack_measure,
  s.pack_count,
  s.source,
  case when s.valid_to is null then change.open_seq else change.change_seq end as change_seq,
  case when s.valid_to is null then change.open_updated_at else change.updated_at end as updated_at
from derived.pack_size s
join catalog.product p using (product_key)
-- An ended spell has the key of the night that ended it.
left join derived.night_change change
  on change.region = p.region and change.snapshot_date = coalesce(s.valid_to, s.valid_from);

select ops.describe('marts.fct_pack_size_spell', $$
One row is a spell of certified nights during which the content of a pack was the same. A product of unknown size has no
  row.
valid_from: Snapshot date of the first night of the spell.
valid_to: Snapshot date of the first night after the spell; null while it lasts.
pack_size: Amount in the whole pack, in pack_measure: 1320 for 4 x 330ml, 4 for a 4 Pack without stated content. Rounded
  to two digits if derived from unit_price.
pack_count: Number of pieces in the pack, such as 4 for 4 x 330ml; null if the pack does not state it.
source: Source of the size: title, details (the product's own page), or unit_price (price divided by unit price, if the
  others do not state it).
change_seq: Change key of the row: rises whenever the spell begins or ends or its nights are changed, in commit order.
  Rows with a greater key than those of a copy are new or have changed.
$$);
