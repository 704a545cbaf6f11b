import { blockFrom, defineCheck } from './define-check.ts';

/**
 * Finds products on promotions that ended more than a day ago, or end before they begin. If half of them do, dates are
 * misread. Counts products instead of promotions, because a single one may have thousands of products.
 */
export const promotionDates = defineCheck({
  name: 'promotion-dates',
  sql: `
    select (count(*) filter (where is_amiss))::int as found, count(*)::int as total,
           (array_agg(product_id order by product_id) filter (where is_amiss))[1:5] as samples
    from (
      select w.product_id,
        bool_or(s.ends_at < s.starts_at or s.ends_at < night.observed_at - interval '1 day') as is_amiss
      from night
      cross join winner w
      cross join lateral unnest(w.promotion_hashes) as carried (promotion_hash)
      join stage.promotion s on s.run_id = night.run_id and s.promotion_hash = carried.promotion_hash
      group by w.product_id
    ) as promoted`,
  sentence: ({ found, total }) =>
    `${found} of ${total} new or changed products on promotion have one that is over, or ends before it begins`,
  severity: blockFrom(0.5, 20),
});
