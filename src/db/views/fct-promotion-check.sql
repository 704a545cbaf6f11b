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
  start.reduced_price,
  start.reference_price,
  start.announced_pct,
  coalesce(promotion.save_percent, start.announced_pct) as stated_percent,
  start.depth_from,
  start.series_began_on,
  start.prior_price,
  start.prior_member_price,
  start.prior_nights_known,
  30 as prior_nights_needed,
  start.real_pct,
  start.prior_price_check,
  start.prior_price_reason,
  start.verdict_label,
  start.member_price_check,
  (start.usual_price_minor * 0.01)::numeric(12, 2) as usual_price,
  start.usual_nights,
  start.usual_nights_known,
  56 as usual_nights_needed,
  case
    when announced.usual_price_reason is not null then null
    when start.usual_nights_known < 56 then 'not_enough_nights'
    when start.price_minor <= start.usual_price_minor and promotion.loyalty_price_minor < start.usual_price_minor
      then 'pass'
    else 'fail'
  end as usual_price_check,
  announced.usual_price_reason,
  (afterwards.price_minor * 0.01)::numeric(12, 2) as price_after,
  case
    when announced.usual_price_reason in ('no_loyalty_price', 'no_shelf_price') then null
    when ending.ended_on is null
      or ending.ended_on > (select max(night.snapshot_date) from derived.night where night.region = start.region)
        then null
    else case afterwards.price_minor >= start.price_minor
      when true then 'pass'
      when false then 'fail'
      else 'not_enough_nights'
    end
  end as after_check
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
  select case
    when promotion.kind <> 'loyalty_price' or promotion.loyalty_price_minor is null then 'no_loyalty_price'
    when start.price_minor is null then 'no_shelf_price'
    when start.usual_nights_known >= 56 and start.usual_nights * 2 < start.usual_nights_known then 'no_usual_price'
  end as usual_price_reason
) as announced
cross join lateral (
  -- A promotion that ends at 23:59 is in effect that night; one that ends at midnight is not.
  select least(
    (carried.valid_to at time zone region.time_zone)::date,
    ((promotion.ends_at - interval '1 microsecond') at time zone region.time_zone)::date + 1) as ended_on
) as ending
-- Read only if one of its columns is requested.
cross join lateral (
  select (
    select price.price_minor
    from derived.night night
    join ops.run run on run.run_id = night.run_id
    join catalog.availability_spell listed
      on listed.product_key = start.product_key
      and listed.valid_from <= run.observed_at
      and (listed.valid_to is null or listed.valid_to > run.observed_at)
      and listed.availability in ('available', 'unavailable')
    join catalog.price_spell price
      on price.product_key = start.product_key
      and price.valid_from <= run.observed_at
      and (price.valid_to is null or price.valid_to > run.observed_at)
      and price.price_minor is not null
    where night.region = start.region
      and night.snapshot_date >= ending.ended_on
      and night.snapshot_date < ending.ended_on + 7
      -- A later run of the same date may have been the first without it.
      and run.observed_at >= least(carried.valid_to, promotion.ends_at)
    order by night.snapshot_date
    limit 1
  ) as price_minor
) as afterwards;

comment on view marts.fct_promotion_check is
  'One row is a promotion that began on a product, and whether it was a reduction. '
  'Only promotions that were in effect on a certified night are included. The rules and their sources are in '
  'docs/analyse/prior-price.md; unknown prices never lead to a pass.';
comment on column marts.fct_promotion_check.region is
  'uk or ie. Article 6a is law in Ireland; for the UK the same check is computed, without legal meaning.';
comment on column marts.fct_promotion_check.product_id is 'The upstream''s product id.';
comment on column marts.fct_promotion_check.product_key is 'Joins dim_product.';
comment on column marts.fct_promotion_check.promotion_key is 'With product_key and seen_from joins fct_promotion.';
comment on column marts.fct_promotion_check.seen_from is 'When a run first saw it on the product.';
comment on column marts.fct_promotion_check.snapshot_date is
  'First certified night on which it was in effect. Filter by it to read only those nights.';
comment on column marts.fct_promotion_check.description is 'The promotion''s text as received.';
comment on column marts.fct_promotion_check.kind is 'Meaning of the text; unknown when in doubt.';
comment on column marts.fct_promotion_check.began_on is
  'Date from which it counts: its own start if that is after the previous certified night, otherwise the date on '
  'which it was first seen.';
comment on column marts.fct_promotion_check.ended_on is
  'First date without it: its own end, or the snapshot date on which it was first missing, whichever is earlier; '
  'null while neither is known.';
comment on column marts.fct_promotion_check.currency is 'ISO 4217 code of the amounts in the row.';
comment on column marts.fct_promotion_check.basis is
  'What is compared: price of one product, or unit_price if the promotion is a price per weight or volume.';
comment on column marts.fct_promotion_check.shelf_price is
  'Ordinary price on the first certified night of the promotion, in currency.';
comment on column marts.fct_promotion_check.reduced_price is
  'Announced reduced price, on its basis, in currency: the loyalty price or the price of a cut. For a percentage: '
  'the shelf price, less the percentage if only members save it. Null if none is announced.';
comment on column marts.fct_promotion_check.reference_price is
  'Price announced for comparison, on its basis: the former price in the text, otherwise the shelf price next to a '
  'loyalty price. Null if the text states only a percentage.';
comment on column marts.fct_promotion_check.announced_pct is
  'Announced discount: reduced_price below reference_price, in percent of the latter; null if either is missing. '
  'A percentage in the text can differ.';
comment on column marts.fct_promotion_check.stated_percent is
  'Discount that the offer claims, in percent: the percentage in its text or, without one, announced_pct. '
  'Compare it with real_pct.';
comment on column marts.fct_promotion_check.depth_from is
  'Lower bound of the announced discount before rounding, in steps of ten percent: 20 means 20 to under 30; '
  '70 means 70 and more, -10 means more expensive than the reference. Null if announced_pct is.';
comment on column marts.fct_promotion_check.series_began_on is
  'Start of the uninterrupted series of cuts that includes it, each no smaller than the one before; '
  'its own start if it is the first.';
comment on column marts.fct_promotion_check.prior_price is
  'Lowest known price of the 30 days before the series began, on its basis, in currency.';
comment on column marts.fct_promotion_check.prior_member_price is
  'As prior_price, but the lowest price that members paid: the loyalty price where there was one, otherwise the shelf '
  'price. Null if basis is unit_price.';
comment on column marts.fct_promotion_check.prior_nights_known is
  'Number of those 30 days with a price known from a certified night.';
comment on column marts.fct_promotion_check.prior_nights_needed is 'Number of known days that a pass requires.';
comment on column marts.fct_promotion_check.real_pct is
  'Real discount: reduced_price below prior_price, in percent of the latter; null if either is missing.';
comment on column marts.fct_promotion_check.prior_price_check is
  'fail: the reference price is above the prior price, the reduced price is not below it, or the stated percentage is '
  'more than half a point above the real saving. pass: none of these, and all nights are known. not_enough_nights: '
  'otherwise. Null with a reason if nothing verifiable is announced.';
comment on column marts.fct_promotion_check.prior_price_reason is
  'Why there is no verdict: text_not_understood, deal_on_several, no_reduction_stated, price_not_stated, '
  'no_comparable_unit_price.';
comment on column marts.fct_promotion_check.verdict_label is
  'Verdict in words: real (a pass), overstated or no reduction (a fail: the saving is smaller than announced, or there '
  'is none), too early to tell (not enough nights). Null with a reason.';
comment on column marts.fct_promotion_check.member_price_check is
  'As prior_price_check, but against prior_member_price: whether members paid less than in the 30 days before. '
  'Null if prior_price_check is, or if basis is unit_price.';
comment on column marts.fct_promotion_check.usual_price is
  'Most frequent shelf price of the 56 certified nights before it began, in currency; '
  'if several are equally frequent, the lowest.';
comment on column marts.fct_promotion_check.usual_nights is 'Number of these nights with that price.';
comment on column marts.fct_promotion_check.usual_nights_known is 'Number of these nights with a known price.';
comment on column marts.fct_promotion_check.usual_nights_needed is 'Number of known nights that a verdict requires.';
comment on column marts.fct_promotion_check.usual_price_check is
  'For a loyalty price: pass if the shelf price beside it is not above the usual price and the loyalty price is below '
  'it, otherwise fail; not_enough_nights if not all 56 nights are known.';
comment on column marts.fct_promotion_check.usual_price_reason is
  'Why there is no verdict: no_loyalty_price, no_shelf_price, no_usual_price (no price held on half of the nights).';
comment on column marts.fct_promotion_check.price_after is
  'Ordinary price on the first certified night with a price in the seven days from its end, in currency; null before. '
  'Computed per promotion, like after_check: name products, a category or few nights.';
comment on column marts.fct_promotion_check.after_check is
  'For a loyalty price that has ended: pass if price_after is not below the shelf price during it, otherwise fail; '
  'not_enough_nights if no night of the seven days has a price. Null while it lasts.';
