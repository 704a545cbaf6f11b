create view marts.dim_product_extra as
select
  p.region,
  p.product_id,
  v.product_key,
  v.name,
  field.type,
  v.value,
  case when field.type = 'number' then v.value::double precision end as number,
  case when field.type = 'boolean' then v.value::boolean end as boolean,
  case when field.type = 'date' then v.value::date end as date,
  v.valid_from,
  v.valid_to
from derived.extra_value v
join derived.extra_field field using (name)
join catalog.product p using (product_key);

select ops.describe('marts.dim_product_extra', $$
One row is a spell of nights during which a field of EXTRA_FIELDS had the same value for a product. A night whose
  payloads lack the product or the field does not end it; null does.
name: Name of the field, as in EXTRA_FIELDS.
type: text, number, boolean or date.
value: The value as text.
number: The value of a number; null for other types.
boolean: The value of a boolean; null for other types.
date: The value of a date; null for other types.
valid_to: Snapshot date of the first night with another value or null; null while it lasts.
$$);
