import type { DetailsBacklog } from '../../crawl/status/details-backlog.ts';
import type { NightPlan } from '../../crawl/status/plan-night.ts';
import { amountText } from '../../source/listings/index.ts';

/** A region in `plan --json`. `cost.amount` is null if the price is unknown; `cost.reason` then says why. */
export function planJson(plan: NightPlan, backlog: DetailsBacklog | null = null) {
  const { region, snapshotDate, state, requests, seconds, cost, deferredDetails, notes } = plan;
  return {
    region,
    snapshot_date: snapshotDate,
    state,
    requests,
    seconds,
    cost: costJson(cost),
    deferred_details: deferredDetails,
    notes,
    ...(backlog && { details: detailsJson(backlog) }),
  };
}

function detailsJson({ chosen, without, known, ageBoundDays }: DetailsBacklog) {
  return {
    products_without: without,
    products_known: known,
    chosen,
    age_bound_days: ageBoundDays,
  };
}

function costJson({ amount, why }: NightPlan['cost']) {
  return amount === null
    ? { amount: null, currency: null, reason: why }
    : { amount: Number(amountText(amount)), currency: amount.currency };
}
