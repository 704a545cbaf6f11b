import type { RegionCode } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import type { PastNight } from '../plan/forecast.ts';

/**
 * Cost and results of a region's last certified night; if there is none, of the last published one, or of the last held
 * one, which read all pages, too.
 */
export async function readLastNight(sql: Queryable, region: RegionCode): Promise<PastNight | null> {
  const [last] = await rowsOf<PastNight>(sql, selectLast, [region]);
  return last ?? null;
}

/** SQL: requests that run `r` sent to an endpoint. */
const sent = (stage: string) =>
  `coalesce((select sum(s.sent) from ops.spend s where s.run_id = r.run_id and s.endpoint like '%-${stage}'), 0)::int`;

const selectLast = `
  select
    -- Until one run is published, each night is crawled as a first night.
    r.status = 'published' and not exists (
      select from ops.published_run before where before.region = $1 and before.observed_at < r.observed_at
    ) as "isFirst",
    ${sent('category-page')} as listing, ${sent('product-details')} as details,
    coalesce((select sum(d.pages) from ops.category_deferred d where d.run_id = r.run_id), 0)::int as "pagesDeferred",
    (select count(*) from ops.category_crawl c
     where c.run_id = r.run_id and c.is_sample and c.category_no <> c.root_no)::int as samples,
    chosen.fresh as "detailsFresh", chosen.products as "detailsChosen",
    coalesce(r.products_listed, 0) as "productsListed",
    coalesce(extract(epoch from r.finished_at - r.started_at), 0)::float8 as seconds
  from ops.run r
  cross join lateral (
    select count(*)::int as products, (count(*) filter (where d.reason in ('new', 'changed')))::int as fresh
    from ops.detail_fetch d where d.run_id = r.run_id and d.reason <> 'missing') as chosen
  where r.region = $1 and r.status in ('published', 'held')
  order by r.status = 'published' and r.verdict <> 'partial' desc, r.status = 'published' desc, r.observed_at desc
  limit 1`;
