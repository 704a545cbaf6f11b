import { healthOf, warningsOf } from './listing-words.ts';
import type { Move } from './migrate-listing.ts';
import type { ListingOverview } from './read-listings.ts';

/** A listing in `pricebook listings --json`. */
export function listingJson(overview: ListingOverview) {
  const { listing, configured, isAsked, host, baseUrl, hostStatus, answers, spend, quota, cost, move } = overview;
  const deadline = hostStatus?.deadline ?? null;
  return {
    listing: listing.name,
    title: listing.title,
    about: listing.about,
    asked: isAsked,
    host,
    base_url: baseUrl,
    host_is: hostStatus?.kind ?? null,
    header_prefix: configured.headerPrefix,
    key: { present: configured.hasKey, variable: configured.keyVariable },
    subscribed: answers?.isSubscribed ?? null,
    health: {
      state: healthOf(overview),
      last_answer_at: answers?.lastOkAt?.toISOString() ?? null,
      probed_at: answers?.probe?.probedAt.toISOString() ?? null,
      latency_ms: answers?.probe?.latencyMs ?? null,
      said: answers?.probe?.said ?? null,
    },
    plan: configured.subscription.plan?.name ?? null,
    requests_spent: spend?.requestsSpent ?? null,
    spent_by_others: spend?.spentByOthers ?? null,
    monthly_quota: quota,
    quota_remaining: spend?.quotaRemaining ?? null,
    cost,
    deadline: deadline && { leave_by: deadline.leaveBy, state: deadline.state, days: deadline.days },
    moved_from: move && {
      host: move.from.host,
      base_url: move.from.baseUrl,
      at: move.movedAt.toISOString(),
    },
    endpoints: listing.endpoints,
    warnings: warningsOf(overview),
  };
}

/** Result of `pricebook listings migrate --json`. */
export function moveJson({ listing, from, to, probe, plan, isSwitched }: Move) {
  return {
    version: 1,
    listing,
    switched: isSwitched,
    from: { host: from.host, base_url: from.baseUrl },
    to: { host: to.host, base_url: to.baseUrl },
    old_host_gone: probe.isOldGone,
    requests_sent: probe.sent,
    requests_a_month: probe.quotas,
    plan: plan.outcome,
    compared: probe.compared.map(({ target, against, differences }) => ({ request: target, against, differences })),
  };
}
