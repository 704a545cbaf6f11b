create view marts.extra_field as
select
  night.region,
  field.name,
  field.type,
  field.written,
  min(night.snapshot_date) as first_night,
  max(night.snapshot_date) as last_night,
  count(*) as nights,
  sum(night.unfit) as unfit,
  (array_agg(night.reason order by night.snapshot_date desc) filter (where night.reason is not null))[1] as reason
from derived.extra_field field
join derived.extra_night night using (name)
group by night.region, field.name, field.type, field.written;

select ops.describe('marts.extra_field', $$
One row is a field of EXTRA_FIELDS in a region: how it is read and from which nights.
name: Name of the field; joins dim_product_extra.
type: text, number, boolean or date.
written: Name, paths and type as in EXTRA_FIELDS.
first_night: Snapshot date of the first night that was read.
last_night: Snapshot date of the last night that was read. Older than the last snapshot if the field is no longer
  configured.
nights: Nights that were read.
unfit: Values that did not fit the type and count as null, summed over those nights.
reason: Why, on the last night with such values; null if there are none.
$$);
