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

comment on view marts.listing_spend_daily is 'One row is an endpoint of a listing on a day: the requests that were sent, and their outcomes.';
comment on column marts.listing_spend_daily.listing is 'Name of the listing.';
comment on column marts.listing_spend_daily.spent_on is 'Day by UTC, as limits are counted.';
comment on column marts.listing_spend_daily.endpoint is 'The kind of question.';
comment on column marts.listing_spend_daily.region is 'uk or ie; null: of no region.';
comment on column marts.listing_spend_daily.requests is 'Requests that were sent.';
comment on column marts.listing_spend_daily.units is 'What they count against the limits: each its endpoint''s weight.';
comment on column marts.listing_spend_daily.cost is 'What they cost in currency; null where the price of one of them is not known.';
comment on column marts.listing_spend_daily.currency is 'ISO 4217 code of the cost; null without one, or with several.';
comment on column marts.listing_spend_daily.ok is 'Answered.';
comment on column marts.listing_spend_daily.failed is 'Failed, on the way or at the upstream.';
comment on column marts.listing_spend_daily.refused is 'Refused by the upstream as wrong.';
comment on column marts.listing_spend_daily.rate_limited is 'Refused for being too many at once.';
comment on column marts.listing_spend_daily.over_quota is 'Refused for the quota being used up.';
comment on column marts.listing_spend_daily.denied is 'Refused for the key.';
comment on column marts.listing_spend_daily.aborted is 'Given up by us.';
