import { defineCheck } from './define-check.ts';

/** Finds categories that declare less than half of their total in the last certified run, except tiny ones. */
export const shrunkCategory = defineCheck({
  name: 'shrunk-category',
  sql: `
    with before as (
      select c.category_id, c.declared_last
      from night
      join lateral (
        select run_id from ops.certified_run r
        where r.region = night.region
          and r.observed_at < night.observed_at
        order by r.observed_at desc limit 1) as last on true
      join ops.category_crawl c on c.run_id = last.run_id and c.root_no = c.category_no and not c.is_sample
    ), compared as (
      select coalesce(s.path, c.category_id) as path,
        c.declared_last < 0.5 * before.declared_last and before.declared_last >= 50 as is_shrunk
      from night
      join ops.category_crawl c on c.run_id = night.run_id and c.root_no = c.category_no and not c.is_sample
      join before using (category_id)
      left join stage.category s on s.run_id = c.run_id and s.category_no = c.category_no
    )
    select (count(*) filter (where is_shrunk))::int as found, count(*)::int as total,
           (array_agg(path order by path) filter (where is_shrunk))[1:5] as samples
    from compared`,
  sentence: ({ found, total }) =>
    `${found} of ${total} categories declare less than half of what they did in the last certified run`,
  severity: ({ found }) => (found > 0 ? 'warn' : null),
});
