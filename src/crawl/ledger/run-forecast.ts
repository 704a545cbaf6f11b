import type { Queryable } from '../../db/client.ts';
import type { Choice } from './detail-choice.ts';

/** Stores how many details are worth a request before a new run reads any page. */
export async function noteBacklog(sql: Queryable, runId: number, backlog: number): Promise<void> {
  await sql.query(
    'insert into ops.run_forecast (run_id, details_backlog) values ($1, $2) on conflict (run_id) do nothing',
    [runId, backlog],
  );
}

/** Stores how many details a run found worth a request, and how many it requests. */
export async function noteDetails(sql: Queryable, runId: number, { wanted, chosen }: Choice): Promise<void> {
  await sql.query(
    `update ops.run_forecast
     set details_wanted = greatest($2, details_wanted), details_chosen = greatest($3, details_chosen)
     where run_id = $1`,
    [runId, wanted, chosen],
  );
}
