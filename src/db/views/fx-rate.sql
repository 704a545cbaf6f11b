create view marts.fx_rate as
select base, quote, on_date, rate::numeric(11, 10) as rate, source, loaded_at
from ops.fx_rate;

select ops.describe('marts.fx_rate', $$
One row is the exchange rate of a date, loaded with pricebook rates load.
base: ISO 4217 code of the currency that is priced: EUR.
quote: ISO 4217 code of the currency it is priced in: GBP.
on_date: Date of the rate.
rate: Price of one unit of base in quote: 0.87 means 87 pence for a euro.
source: Source of the rate according to the file; otherwise the name of the file.
loaded_at: When it was loaded.
$$);
