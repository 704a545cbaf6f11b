create view marts.vat_rate as
select region, department, rate_pct, loaded_at
from ops.vat_rate;

comment on view marts.vat_rate is 'One row is the value added tax that prices of a department contain, loaded with pricebook rates vat.';
comment on column marts.vat_rate.region is 'uk or ie.';
comment on column marts.vat_rate.department is 'Name of a category of the top level, in lower case.';
comment on column marts.vat_rate.rate_pct is 'Percent on top of the price before tax.';
comment on column marts.vat_rate.loaded_at is 'When it was loaded.';
