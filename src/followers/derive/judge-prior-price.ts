import { loyaltyOfferType } from '../../source/normalise/promotion-text.ts';

/** Stored columns that `judged` computes, in order. */
export const judgedColumns = [
  ...['reference_price', 'announced_pct', 'real_pct', 'depth_from'],
  ...['prior_price_check', 'prior_price_reason', 'verdict_label', 'member_price_check'],
].join(', ');

/**
 * SQL: how a promotion passes the check of a price before it. Unknown nights could only lower that price. The
 * percentage may be rounded by half a point or the price by half a penny, whichever is more.
 */
const labelAgainst = (prior: string): string => `case
      when prior_price_reason is not null then null
      when start.reduced_price >= ${prior} then 'no reduction'
      when reference_price > ${prior}
        or o.save_percent >
          (100 * (${prior} - start.reduced_price) + greatest(0.5, 0.5 * ${prior})) / nullif(${prior}, 0)
        then 'overstated'
      when start.prior_nights_known >= 30 then 'real'
      else 'too early to tell'
    end`;

/** SQL: the verdict: as above, but the stated percentage alone counts, and may be a point or half a penny too high. */
const verdict = `case
      when prior_price_reason is not null then null
      when start.reduced_price >= compared_price then 'no reduction'
      when coalesce(o.save_percent, 100 * announced_depth) >
        100 * (1 - start.reduced_price / nullif(compared_price, 0)) + greatest(1, 0.5 / nullif(compared_price, 0))
        then 'overstated'
      when start.prior_nights_known >= 30 then 'real'
      else 'too early to tell'
    end`;

/** SQL: verdict by label. */
const checkOf = (label: string): string => `case
      when ${label} in ('no reduction', 'overstated') then 'fail'
      when ${label} = 'real' then 'pass'
      when ${label} = 'too early to tell' then 'not_enough_nights'
    end`;

/**
 * SQL: announcement of a promotion `start` and whether it can be checked. Stored, because it only changes when the
 * night is derived again, and pages count tens of thousands of them. "offset 0" computes a value once for all that use
 * it.
 */
export const judged = `join catalog.promotion o on o.promotion_key = start.promotion_key
  cross join lateral (
    select
      coalesce(
        o.was_price_minor * 0.01,
        case o.kind
          when 'loyalty_price' then start.price_minor * 0.01
          when 'loyalty_unit_price' then start.unit_price
          when 'price_cut' then start.reduced_price + o.saving_minor * 0.01
          when 'save_percent' then case when o.offer_type = '${loyaltyOfferType}' then start.price_minor * 0.01 end
        end) as reference_price,
      case
        when o.kind = 'unknown' then 'text_not_understood'
        when o.kind in ('multibuy', 'n_for_m', 'meal_deal') or o.quantity is not null then 'deal_on_several'
        when o.kind = 'price_cut' and num_nonnulls(o.was_price_minor, o.saving_minor, o.save_percent) = 0
          then 'no_reduction_stated'
        when o.kind = 'loyalty_unit_price' and start.unit_price is null then 'no_comparable_unit_price'
        when start.reduced_price is null then 'price_not_stated'
      end as prior_price_reason
    offset 0
  ) as announced
  cross join lateral (
    -- The lowest price for anyone; without a known night, the price that the offer itself compares with.
    select case when prior_price_reason is null
      then coalesce(start.prior_member_price, reference_price) end as compared_price
  ) as before
  cross join lateral (
    select 1 - start.reduced_price / nullif(announced.reference_price, 0) as announced_depth
  ) as offered
  cross join lateral (
    select
      ${labelAgainst('start.prior_price')} as prior_label,
      ${labelAgainst('start.prior_member_price')} as member_label,
      ${verdict} as verdict_label
    offset 0
  ) as said
  cross join lateral (
    select round(100 * announced_depth, 2) as announced_pct,
      round(100 * (1 - start.reduced_price / nullif(compared_price, 0)), 2) as real_pct,
      -- greatest and least ignore nulls, so promotions without a depth are excluded first.
      case when announced_depth is not null then greatest(least(floor(10 * announced_depth) * 10, 70), -10) end
        as depth_from,
      ${checkOf('prior_label')} as prior_price_check,
      ${checkOf('member_label')} as member_price_check
  ) as stored`;
