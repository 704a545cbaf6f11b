create view marts.dim_region as
select region, name, currency, time_zone
from catalog.region;

select ops.describe('marts.dim_region', $$
One row is a region: a country's catalogue with its currency and time zone.
region: uk or ie; part of every natural key.
name: Name of the country.
currency: ISO 4217 code of every amount of the region: GBP or EUR.
time_zone: IANA time zone in which snapshot dates and promotion dates are local.
$$);
