import type { Queryable } from '../../db/client.ts';
import { camelRows } from '../../db/rows.ts';
import { type Cost, costOfRun } from './cost.ts';
import type { RunPhase } from './transitions.ts';

/** Names of phases for people. */
export const phaseNames: Readonly<Record<RunPhase, string>> = {
  taxonomy: 'reading the categories',
  categories: 'reading the pages',
  details: 'reading details',
  finishing: 'certifying and publishing',
  units: 'reading',
  over: 'done',
};

/** Progress of an open run. */
export interface Progress {
  readonly pagesPlanned: number;
  readonly pagesDone: number;
  readonly pagesFailed: number;
  readonly detailsPlanned: number;
  readonly detailsDone: number;
  /** Requests sent for this run. */
  readonly requests: number;
  /** Cost of these requests; null if unknown. */
  readonly cost: Cost | null;
}

export async function readProgress(sql: Queryable, runId: number): Promise<Progress> {
  const [progress] = await camelRows<Progress>(
    sql,
    `select pages.*, details.*, (select coalesce(sum(sent), 0)::int from ops.spend where run_id = $1) as requests,
       ${costOfRun('$1')} as cost
     from (
       select count(*)::int as pages_planned, (count(*) filter (where status = 'done'))::int as pages_done,
              (count(*) filter (where status = 'failed'))::int as pages_failed
       from ops.category_page where run_id = $1
     ) as pages, (
       select count(*)::int as details_planned, (count(*) filter (where status <> 'planned'))::int as details_done
       from ops.detail_fetch where run_id = $1
     ) as details`,
    [runId],
  );
  return progress!;
}
