import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';
import { type Cost, costOfRun } from '../ledger/run-cost.ts';

/** Progress of an open run. */
export interface Progress {
  readonly pagesPlanned: number;
  readonly pagesDone: number;
  readonly pagesFailed: number;
  /** Products on the pages read; products on several pages are counted several times. */
  readonly productsRead: number;
  readonly detailsPlanned: number;
  readonly detailsDone: number;
  /** Requests sent for this run. */
  readonly requests: number;
  /** Cost of these requests; null if unknown. */
  readonly cost: Cost | null;
}

export async function readProgress(sql: Queryable, runId: number): Promise<Progress> {
  const [progress] = await rowsOf<Progress>(
    sql,
    `select pages.*, details.*, (select coalesce(sum(sent), 0)::int from ops.spend where run_id = $1) as requests,
       ${costOfRun('$1')} as cost
     from (
       select count(*)::int as "pagesPlanned", (count(*) filter (where status = 'done'))::int as "pagesDone",
              (count(*) filter (where status = 'failed'))::int as "pagesFailed",
              coalesce(sum(distinct_products), 0)::int as "productsRead"
       from ops.category_page where run_id = $1
     ) as pages, (
       select count(*)::int as "detailsPlanned", (count(*) filter (where status <> 'planned'))::int as "detailsDone"
       from ops.detail_fetch where run_id = $1
     ) as details`,
    [runId],
  );
  return progress!;
}
