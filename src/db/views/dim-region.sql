create view marts.dim_region as
select region, name, currency, time_zone
from catalog.region;

comment on view marts.dim_region is 'One row is a region: a country''s catalogue with its currency and time zone.';
comment on column marts.dim_region.region is 'uk or ie; part of every natural key.';
comment on column marts.dim_region.name is 'Name of the country.';
comment on column marts.dim_region.currency is 'ISO 4217 code of every amount of the region: GBP or EUR.';
comment on column marts.dim_region.time_zone is 'IANA time zone in which snapshot dates and promotion dates are local.';
