create view marts.listing_spend_daily as
select
  listing,
  (hour at time zone 'UTC')::date as spent_on,
  endpoint,
  region,
  sum(sent) as requests,
  sum(units) as units,
  case when bool_and(cost is not null or sent = 0) then trim_scale(round(sum(cost), 6)) end as cost,
  case when min(currency) = max(currency) then min(currency) end as currency,
  sum(ok) as ok,
  sum(failed) as failed,
  sum(refused) as refused,
  sum(rate_limited) as rate_limited,
  sum(quota) as over_quota,
  sum(denied) as denied,
  sum(aborted) as aborted
from ops.spend
group by listing, (hour at time zone 'UTC')::date, endpoint, region;

comment on view marts.listing_spend_daily is
  'One row is an endpoint of a listing on a day: the requests sent and their outcomes.';
comment on column marts.listing_spend_daily.listing is 'Name of the listing.';
comment on column marts.listing_spend_daily.spent_on is 'Day in UTC, by which limits are counted.';
comment on column marts.listing_spend_daily.endpoint is 'Name of the endpoint.';
comment on column marts.listing_spend_daily.region is 'uk or ie; null for endpoints without a region.';
comment on column marts.listing_spend_daily.requests is 'Requests sent.';
comment on column marts.listing_spend_daily.units is 'Units counted against the limits, weighted by endpoint.';
comment on column marts.listing_spend_daily.cost is 'Cost in currency; null if the price of any request is unknown.';
comment on column marts.listing_spend_daily.currency is 'ISO 4217 code of the cost; null without one, or with several.';
comment on column marts.listing_spend_daily.ok is 'Requests answered.';
comment on column marts.listing_spend_daily.failed is 'Requests that failed in transit or at the upstream.';
comment on column marts.listing_spend_daily.refused is 'Requests rejected as wrong.';
comment on column marts.listing_spend_daily.rate_limited is 'Requests rejected for exceeding the rate.';
comment on column marts.listing_spend_daily.over_quota is 'Requests rejected because the quota was used up.';
comment on column marts.listing_spend_daily.denied is 'Requests rejected because of the key.';
comment on column marts.listing_spend_daily.aborted is 'Requests cancelled by us.';
