create view marts.fct_promotion_check as
select
  start.region,
  p.product_id,
  start.product_key,
  start.promotion_key,
  start.seen_from,
  start.snapshot_date,
  promotion.description,
  promotion.kind,
  start.began_on,
  ending.ended_on,
  region.currency,
  case when promotion.kind = 'loyalty_unit_price' then 'unit_price' else 'price' end as basis,
  (start.price_minor * 0.01)::numeric(12, 2) as shelf_price,
  start.reduced_price::numeric(12, 2) as reduced_price,
  start.reference_price::numeric(12, 2) as reference_price,
  start.announced_pct::numeric(16, 2) as announced_pct,
  coalesce(promotion.save_percent, start.announced_pct)::numeric(16, 2) as stated_percent,
  start.depth_from,
  start.series_began_on,
  start.prior_price::numeric(12, 2) as prior_price,
  start.prior_member_price::numeric(12, 2) as prior_member_price,
  start.prior_nights_known,
  start.prior_nights_lost,
  30 as prior_nights_needed,
  coalesce(start.prior_nights_known >= 30, false) as has_all_nights,
  (case
    when start.prior_price_check is not null
      then coalesce(start.prior_member_price, start.reference_price)
  end)::numeric(12, 2) as compared_price,
  start.real_pct::numeric(16, 2) as real_pct,
  start.prior_price_check,
  start.prior_price_reason,
  start.verdict_label,
  start.member_price_check
from derived.promotion_start start
-- Always one row each; outer joins, so that they are read only if one of their columns is requested.
left join catalog.promotion promotion on promotion.promotion_key = start.promotion_key
left join catalog.product_promotion carried
  on carried.product_key = start.product_key
  and carried.promotion_key = start.promotion_key
  and carried.valid_from = start.seen_from
left join catalog.product p on p.product_key = start.product_key
left join catalog.region region on region.region = start.region
cross join lateral (
  -- A promotion that ends at 23:59 is in effect that night; one that ends at midnight is not.
  select least(
    (carried.valid_to at time zone region.time_zone)::date,
    ((promotion.ends_at - interval '1 microsecond') at time zone region.time_zone)::date + 1) as ended_on
) as ending;

select ops.describe('marts.fct_promotion_check', $$
One row is a promotion that began on a product, and whether it was a reduction. Only promotions that were in effect on a
  certified night are included. The rules and their sources are in docs/analyse/prior-price.md; unknown prices never
  lead to a pass.
region: uk or ie. Article 6a is law in Ireland; for the UK the same check is computed, without legal meaning.
snapshot_date: First certified night on which it was in effect. Filter by it to read only those nights. When the
  promotions of the region's first certified night began is unknown.
began_on: Date from which it counts: its own start if that is after the previous certified night, otherwise the date on
  which it was first seen.
ended_on: First date without it: its own end, or the snapshot date on which it was first missing, whichever is earlier;
  null while neither is known.
basis: What is compared: price of one product, or unit_price if the promotion is a price per weight or volume.
shelf_price: Ordinary price on the first certified night of the promotion, in currency.
reduced_price: Announced reduced price, on its basis, in currency: the loyalty price or the price of a cut. For a
  percentage: the shelf price, less the percentage if only members save it. Null if none is announced.
reference_price: Price announced for comparison, on its basis: the former price in the text, otherwise the shelf price
  next to a loyalty price. Null if the text states only a percentage.
announced_pct: Announced discount: reduced_price below reference_price, in percent of the latter; null if either is
  missing. A percentage in the text can differ.
stated_percent: Discount that the offer claims, in percent: the percentage in its text or, if it has none,
  announced_pct. Compare it with real_pct.
depth_from: Lower bound of the announced discount before rounding, in steps of ten percent: 20 means 20 to under 30; 70
  means 70 and more, -10 means more expensive than the reference. Null if announced_pct is.
series_began_on: Start of the uninterrupted series of cuts that includes it, each no smaller than the one before; its
  own start if it is the first.
prior_price: Lowest known price of the 30 days before the series began, on its basis, in currency.
prior_member_price: As prior_price, but the lowest price that members paid: the loyalty price where there was one
  on the same basis, otherwise the shelf price.
prior_nights_known: Number of those 30 days with a known price: that of a certified night, or of a lost one between two
  certified nights that show the same price.
prior_nights_lost: Number of those 30 days that are not known because their night is missing or not certified.
prior_nights_needed: Number of known days that a pass requires.
has_all_nights: Whether as many are known. Only such promotions count in shares of real ones.
compared_price: Price that the verdict compares with: the lowest known price that anyone paid in the 30 days before
  (prior_member_price). If no night is known: reference_price.
real_pct: Real discount: reduced_price below compared_price, in percent of the latter; null if either is missing. Unless
  has_all_nights, it is the most that the discount can be.
prior_price_check: fail: the reference price is above the prior price, the reduced price is not below it, or the stated
  percentage is above the real saving by more than rounding explains: half a point, or half a penny of the price. pass:
  none of these, and all nights are known.
  not_enough_nights: otherwise. Null with a reason if nothing verifiable is announced.
prior_price_reason: Why there is no verdict: text_not_understood, deal_on_several, no_reduction_stated,
  price_not_stated, no_comparable_unit_price; nights_missing: only lost nights are not known.
verdict_label: Verdict on the offer: no reduction (reduced_price is not below compared_price), overstated (real_pct is
  below stated_percent by more than a percentage point or half a penny of the price), real (neither, and all nights are
  known), or too early to tell (neither, and the product was not listed on all 30 days). Null with a reason.
member_price_check: As prior_price_check, but against prior_member_price: whether members paid less than in the 30 days
  before. Null if prior_price_check is.
$$, 'marts.fct_promotion');
