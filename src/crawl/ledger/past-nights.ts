import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { nightsLookedAt, type PastNight } from '../plan/forecast.ts';
import { pagesLookedAt } from '../plan/repeating.ts';
import { pageSize } from './page-size.ts';

/**
 * Cost and results of a region's last nights, newest first: the certified ones, or all published ones if none is
 * certified. If none was published, the last held run, which read all pages. A night that was crawled again counts with
 * its second run, too.
 */
export async function readPastNights(sql: Queryable, region: RegionCode): Promise<PastNight[]> {
  return rowsOf<PastNight>(sql, selectPast, [region, nightsLookedAt]);
}

/** SQL: requests that run `r` sent to an endpoint. */
const sent = (stage: string) =>
  `coalesce((select sum(s.sent) from ops.spend s where s.run_id = r.run_id and s.endpoint like '%-${stage}'), 0)::int`;

const selectPast = `
  with published as (
    select r.*, lag(r.run_id) over (order by r.observed_at) is null as is_first
    from ops.published_run r where r.region = $1
  ), looked_at as (
    (
      select * from published p
      where p.verdict <> 'partial' or not exists (select from published where verdict <> 'partial')
      order by observed_at desc limit $2
    )
    union all (
      -- Until one run is published, each night is crawled as a first night.
      select r.*, false from ops.run r
      where r.region = $1 and r.status = 'held' and not exists (select from published)
      order by r.observed_at desc limit 1
    )
  )
  select r.is_first as "isFirst", ${sent('taxonomy')} as taxonomy, ${sent('category-page')} as listing,
    coalesce((select sum(d.pages) from ops.category_deferred d where d.run_id = r.run_id), 0)::int as "pagesDeferred",
    ${sent('product-details')} as details, walked.pages as "pagesDeclared", walked.left_out as "pagesLeftOut",
    walked.samples,
    f.details_wanted as "detailsWanted", f.details_backlog as "detailsBacklog",
    coalesce(f.details_chosen, chosen.products) as "detailsChosen",
    coalesce(r.products_listed, 0) as "productsListed",
    coalesce(extract(epoch from r.finished_at - r.started_at), 0)::float8 as seconds
  from looked_at r
  left join ops.run_forecast f using (run_id)
  cross join lateral (
    select
      coalesce(sum(case when d.run_id is null then greatest(1, ceil(c.declared_last::numeric / ${pageSize})) else 1 end)
        filter (
          where (not c.is_sample or c.category_no = c.root_no) and not c.is_descended and c.declared_last is not null
        ), 0)::int as pages,
      coalesce(sum(greatest(0, ceil(c.declared_last::numeric / ${pageSize}) - ${pagesLookedAt}))
        filter (
          where c.is_sample and c.category_no = c.root_no and not c.is_descended
            and c.declared_last is not null and d.run_id is null
        ), 0)::int as left_out,
      (count(*) filter (where c.is_sample and c.category_no <> c.root_no))::int as samples
    from ops.category_crawl c
    -- Only the first page of deferred categories was requested.
    left join ops.category_deferred d using (run_id, category_id)
    where c.run_id = r.run_id
  ) as walked
  cross join lateral (
    select count(*)::int as products
    from ops.detail_fetch d where d.run_id = r.run_id and d.reason <> 'missing'
  ) as chosen
  order by r.observed_at desc`;
