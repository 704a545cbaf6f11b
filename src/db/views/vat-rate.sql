create view marts.vat_rate as
select region, department, rate_pct, loaded_at
from ops.vat_rate;

comment on view marts.vat_rate is
  'One row is the value added tax included in the prices of a department, loaded with pricebook rates vat.';
comment on column marts.vat_rate.region is 'uk or ie.';
comment on column marts.vat_rate.department is 'Name of a top-level category, in lower case.';
comment on column marts.vat_rate.rate_pct is 'Percent added to the price before tax.';
comment on column marts.vat_rate.loaded_at is 'When it was loaded.';
