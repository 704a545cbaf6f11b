import type { Run } from '../crawl/ledger/runs.ts';
import type { Progress } from '../crawl/status/progress.ts';
import type { Status } from '../questions/status.ts';

/** JSON of `pricebook status --json` and `/api/status`; names as in the database. */
export function statusJson({ at, regions, listings, workersAlive, quarantined }: Status) {
  return {
    version: 2,
    at: at.toISOString(),
    regions: regions.map(
      ({ region, open, lastNight, held, findings, missedNights, changedNights, nightsToDerive }) => ({
        region,
        open: open && { ...runJson(open.run), progress: progressJson(open.progress) },
        last_night: lastNight && runJson(lastNight),
        held: held && runJson(held),
        findings,
        missed_nights: missedNights,
        changed_nights: changedNights,
        nights_to_derive: nightsToDerive,
      }),
    ),
    listings: listings.map((listing) => ({
      listing: listing.listing,
      requests_spent: listing.requestsSpent,
      spent_by_others: listing.spentByOthers,
      monthly_quota: listing.monthlyQuota,
      cost: listing.cost,
      forecast: listing.forecast && {
        month_ends_at: listing.forecast.endsAt.toISOString(),
        requests_a_day: listing.forecast.requestsADay,
        requests: listing.forecast.requests,
        beyond_quota: listing.forecast.beyondQuota,
        cost: listing.forecast.cost,
      },
      quota_remaining: listing.quotaRemaining,
      state: listing.state,
      paused_until: listing.pausedUntil?.toISOString() ?? null,
      last_error: listing.lastError,
    })),
    workers_alive: workersAlive,
    quarantined,
  };
}

export function runJson(run: Run) {
  return {
    run_id: run.runId,
    region: run.region,
    snapshot_date: run.snapshotDate,
    observed_at: run.observedAt.toISOString(),
    status: run.status,
    phase: run.phase,
    certificate: run.verdict,
    products_listed: run.productsListed,
    products_available: run.productsAvailable,
    requests_spent: run.requestsSpent,
    cost: run.cost,
    origin: run.origin,
    upstream: run.upstream,
    clock: run.clock,
    started_at: run.startedAt.toISOString(),
    finished_at: run.finishedAt?.toISOString() ?? null,
    paused_for: run.pausedFor,
    paused_until: run.pausedUntil?.toISOString() ?? null,
  };
}

function progressJson(progress: Progress) {
  return {
    pages_planned: progress.pagesPlanned,
    pages_done: progress.pagesDone,
    pages_failed: progress.pagesFailed,
    products_read: progress.productsRead,
    details_planned: progress.detailsPlanned,
    details_done: progress.detailsDone,
    requests: progress.requests,
    cost: progress.cost,
  };
}
