import type { Queryable } from '../../db/client.ts';
import type { Forecast } from '../plan/forecast.ts';
import type { Choice } from './detail-choice.ts';

/** Stores the estimated cost of a run at its start. An existing forecast is kept. */
export async function storeForecast(
  sql: Queryable,
  runId: number,
  { requests, seconds, assumed, backlog }: Forecast & { readonly backlog: number },
  cost: { readonly amount: string | null; readonly currency: string | null },
): Promise<void> {
  await sql.query(
    `insert into ops.run_forecast (
       run_id, taxonomy, listing, details, seconds, cost, currency, assumed, details_backlog)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (run_id) do nothing`,
    [
      runId,
      requests.taxonomy,
      requests.listing,
      requests.details,
      seconds,
      cost.amount,
      cost.currency,
      JSON.stringify(assumed),
      backlog,
    ],
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
