create view marts.fct_promotion_check_daily as
select region, snapshot_date, prior_price_check, prior_price_reason, depth_from, verdict_label,
  coalesce(prior_nights_known >= 30, false) as has_all_nights,
  count(*)::integer as promotions
from derived.promotion_start
group by region, snapshot_date, prior_price_check, prior_price_reason, depth_from, verdict_label,
  has_all_nights;

select ops.describe('marts.fct_promotion_check_daily', $$
One row is a certified night, a verdict on the prior price (or the reason for none), a depth and whether all nights
  before are known: the number of promotions of fct_promotion_check that began with it. Counted from an index alone.
  The region's first night has the promotions that already ran: when they began is unknown.
has_all_nights: Whether all 30 nights before are known. Only such promotions can be real, and count in their share.
promotions: Number of promotions on products: a promotion on two products counts twice.
$$, 'marts.fct_promotion_check');
