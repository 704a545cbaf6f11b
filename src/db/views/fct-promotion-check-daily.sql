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
snapshot_date: First certified night on which they were in effect.
prior_price_check: Verdict as in fct_promotion_check: pass, fail or not_enough_nights; null if there is a reason.
prior_price_reason: Why there is no verdict; null if there is one.
depth_from: As in fct_promotion_check: lower bound of the announced discount, in steps of ten percent; null if none is
  announced.
verdict_label: As in fct_promotion_check: real, overstated, no reduction or too early to tell; null if there is a
  reason.
has_all_nights: Whether all 30 nights before are known: only such promotions can be real.
promotions: Number of promotions on products: a promotion on two products counts twice.
$$);
