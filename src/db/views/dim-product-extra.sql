create view marts.dim_product_extra as
select
  p.region,
  p.product_id,
  version.product_key,
  version.source,
  field.name,
  field.value,
  version.valid_from,
  version.valid_to
from (
  select product_key, 'listing' as source, extra, valid_from, replaced_at as valid_to from catalog.product
  union all
  select product_key, 'listing', extra, valid_from, valid_to from catalog.product_history
  union all
  select product_key, 'details', extra, valid_from, valid_to from catalog.product_detail
) as version
join catalog.product p using (product_key)
cross join lateral jsonb_each_text(version.extra) as field (name, value);

select ops.describe('marts.dim_product_extra', $$
One row is the value of a field of EXTRA_FIELDS in a version of a product, or of its details. A version without the
  field, or with a value that does not fit its type, has no row.
source: listing: version of the product as listed; details: version of its own page.
name: Name of the field, as in EXTRA_FIELDS.
value: The value as text; cast it to the type of the field.
valid_from: Instant of the run that first saw the version.
valid_to: Instant of the run that first saw another version; null: it is the current one.
$$);
