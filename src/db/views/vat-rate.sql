create view marts.vat_rate as
select region, department, rate_pct::numeric(5, 3) as rate_pct, loaded_at
from ops.vat_rate;

select ops.describe('marts.vat_rate', $$
One row is the value added tax included in the prices of a department, loaded with pricebook rates vat.
department: Name of a top-level category, in lower case.
rate_pct: Percent added to the price before tax.
loaded_at: When it was loaded.
$$);
