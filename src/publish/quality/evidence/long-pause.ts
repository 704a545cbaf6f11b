import type { Queryable } from '../../../db/client.ts';
import { rowsOf } from '../../../db/rows.ts';

/** A pause so long, and past midnight, that pages read after it describe another night. */
export interface LongPause {
  readonly hours: number;
  /** Local date on which reading resumed. */
  readonly until: string;
}

/** The first such pause before a page of the run; null if there is none. */
export async function readLongPause(tx: Queryable, runId: number): Promise<LongPause | null> {
  const [pause] = await rowsOf<LongPause & Record<string, unknown>>(
    tx,
    `select extract(epoch from page.at - page.before)::int / 3600 as hours,
       (page.at at time zone region.time_zone)::date::text as until
     from ops.run r
     join catalog.region region on region.region = r.region
     cross join lateral (
       select fetched_at as at, coalesce(lag(fetched_at) over (order by fetched_at), r.started_at) as before, is_page
       from (
         select fetched_at, true as is_page from ops.category_page where run_id = r.run_id and status = 'done'
         union all
         select fetched_at, false from ops.detail_fetch where run_id = r.run_id and fetched_at is not null
       ) as read
     ) as page
     where r.run_id = $1
       -- A simulator shows the night of its own date, at any time.
       and coalesce(r.upstream, '') not like 'simulator %'
       -- Details describe products independently of the night.
       and page.is_page
       and page.at - page.before >= interval '12 hours'
       and (page.at at time zone region.time_zone)::date > r.snapshot_date
     order by page.at limit 1`,
    [runId],
  );
  return pause ?? null;
}
