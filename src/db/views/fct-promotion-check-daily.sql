create view marts.fct_promotion_check_daily as
select region, snapshot_date, prior_price_check, prior_price_reason, depth_from, count(*)::integer as promotions
from derived.promotion_start
group by region, snapshot_date, prior_price_check, prior_price_reason, depth_from;

comment on view marts.fct_promotion_check_daily is 'One row is a certified night, a verdict on the prior price or why there is none, and a depth: how many promotions of fct_promotion_check began with it. Counted from an index alone.';
comment on column marts.fct_promotion_check_daily.region is 'uk or ie.';
comment on column marts.fct_promotion_check_daily.snapshot_date is 'The first certified night on which they were in effect.';
comment on column marts.fct_promotion_check_daily.prior_price_check is 'As in fct_promotion_check: pass, fail or not_enough_nights; null with a reason.';
comment on column marts.fct_promotion_check_daily.prior_price_reason is 'Why there is no verdict; null with one.';
comment on column marts.fct_promotion_check_daily.depth_from is 'As in fct_promotion_check: the ten percent in which the announced depth lies; null without one.';
comment on column marts.fct_promotion_check_daily.promotions is 'Promotions on products that began so: a promotion on two products counts twice.';
