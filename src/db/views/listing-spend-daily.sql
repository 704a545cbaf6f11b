create view marts.listing_spend_daily as
select
  listing,
  (hour at time zone 'UTC')::date as spent_on,
  endpoint,
  region,
  sum(sent) as requests,
  (case when bool_and(cost is not null or sent = 0) then sum(cost) end)::numeric(18, 6) as cost,
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

select ops.describe('marts.listing_spend_daily', $$
One row is an endpoint of a listing on a day: the requests sent and their outcomes.
spent_on: Day in UTC, by which limits are counted.
region: uk or ie; null for endpoints without a region.
requests: Requests sent.
cost: Cost in currency; null if the price of any request is unknown.
currency: ISO 4217 code of the cost; null without one, or with several.
ok: Requests answered.
failed: Requests that failed in transit or at the upstream.
refused: Requests rejected as wrong.
rate_limited: Requests rejected for exceeding the rate.
over_quota: Requests rejected because the quota was used up.
denied: Requests rejected because of the key.
aborted: Requests cancelled by us.
$$, 'marts.listing_now');
