import { unitsOf } from '../../listings/index.ts';
import { healthOf, warningsOf } from './listing-words.ts';
import type { ListingOverview } from './read-listings.ts';

/** A listing in `pricebook listings --json`. */
export function listingJson(overview: ListingOverview) {
  const { listing, configured, isAsked, host, baseUrl, standing, answers, spend, quota, cost, move } = overview;
  const deadline = standing?.deadline ?? null;
  return {
    listing: listing.name,
    title: listing.title,
    about: listing.about,
    asked: isAsked,
    host,
    base_url: baseUrl,
    host_is: standing?.kind ?? null,
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
    monthly_quota: quota,
    quota_remaining: spend?.quotaRemaining ?? null,
    cost: cost && { amount: unitsOf(cost), currency: cost.currency },
    deadline: deadline && { leave_by: deadline.leaveBy, state: deadline.state, days: deadline.days },
    moved_from: move && {
      host: move.from.host,
      base_url: move.from.baseUrl,
      at: move.movedAt.toISOString(),
      old_host: move.replacedHostState,
    },
    endpoints: listing.endpoints,
    warnings: warningsOf(overview),
  };
}
