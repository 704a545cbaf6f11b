import { blockFrom, defineCheck } from './define-check.ts';

/**
 * Products on promotions that are over for more than a day, or that end before they begin. From half of them on, dates
 * are misread rather than mistyped; products are counted, not promotions, of which one may hang on thousands.
 */
export const promotionDates = defineCheck({
  name: 'promotion-dates',
  sql: `
    select (count(*) filter (where is_amiss))::int as found, count(*)::int as total,
           (array_agg(product_id order by product_id) filter (where is_amiss))[1:5] as samples
    from (
      select w.product_id, bool_or(s.ends_at < s.starts_at or s.ends_at < night.observed_at - interval '1 day') as is_amiss
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
