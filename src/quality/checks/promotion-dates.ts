import { defineCheck } from './define-check.ts';

/** Beyond this share, dates are misread rather than mistyped. */
const blockingShare = 0.5;
const fewest = 20;

/** Promotions listed although they are over for more than a day, or that end before they begin. */
export const promotionDates = defineCheck({
  name: 'promotion-dates',
  sql: `
    select (count(*) filter (where s.ends_at < s.starts_at or s.ends_at < night.observed_at - interval '1 day'))::int as found,
           count(*)::int as total,
           (array_agg(s.description order by s.description)
             filter (where s.ends_at < s.starts_at or s.ends_at < night.observed_at - interval '1 day'))[1:5] as samples
    from night join stage.promotion s using (run_id)`,
  sentence: ({ found, total }) =>
    `${found} of ${total} promotions on new or changed products are over, or end before they begin`,
  severity({ found, total }) {
    if (found === 0) return null;
    return found >= fewest && found > blockingShare * total ? 'block' : 'warn';
  },
});
