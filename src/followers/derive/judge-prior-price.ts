import { loyaltyOfferType } from '../../source/normalise/promotion-text.ts';

/** SQL: judged columns of `derived.promotion_start`, in order. */
export const judgedColumns = `reference_price,
    round(100 * announced_depth, 2), round(100 * (1 - start.reduced_price / nullif(start.prior_price, 0)), 2),
    -- greatest and least ignore nulls, so promotions without a depth are excluded first.
    case when announced_depth is not null then greatest(least(floor(10 * announced_depth) * 10, 70), -10) end,
    case
      when prior_price_reason is not null then null
      -- Unknown nights could only lower the prior price.
      when reference_price > start.prior_price
        or start.reduced_price >= start.prior_price
        or o.save_percent > 100 * (start.prior_price - start.reduced_price) / nullif(start.prior_price, 0) + 0.5
          then 'fail'
      when start.prior_nights_known >= 30 then 'pass'
      else 'not_enough_nights'
    end,
    prior_price_reason`;

/**
 * SQL: announcement of a promotion `start` and whether it can be checked. Stored, because it only changes when the
 * night is derived again, and pages count tens of thousands of them.
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
  ) as announced
  cross join lateral (
    select 1 - start.reduced_price / nullif(announced.reference_price, 0) as announced_depth
  ) as depth`;
