create view marts.fx_rate as
select base, quote, on_date, rate, source, loaded_at
from ops.fx_rate;

comment on view marts.fx_rate is 'One row is the exchange rate of a date, loaded with pricebook rates load.';
comment on column marts.fx_rate.base is 'ISO 4217 code of the currency that is priced: EUR.';
comment on column marts.fx_rate.quote is 'ISO 4217 code of the currency it is priced in: GBP.';
comment on column marts.fx_rate.on_date is 'Date of the rate.';
comment on column marts.fx_rate.rate is 'Price of one unit of base in quote: 0.87 means 87 pence for a euro.';
comment on column marts.fx_rate.source is 'Source of the rate according to the file; otherwise the name of the file.';
comment on column marts.fx_rate.loaded_at is 'When it was loaded.';
