import type { Quota } from '../gateway/quota.ts';

/** Requests a month as the headers of two hosts tell them; null: they tell nothing. */
export interface ObservedQuotas {
  readonly old: number | null;
  readonly new: number | null;
}

export interface PlanComparison {
  /** `same` and `bonus`: nothing speaks against the same plan; `unknown`: no header tells. */
  readonly outcome: 'same' | 'bonus' | 'lower' | 'higher' | 'unknown';
  readonly old: number | null;
  readonly new: number | null;
}

/** What else is known of the plan on the old host. */
export interface KnownPlan {
  /** Requests a month that the variables tell; null: none do; 0: unlimited. */
  readonly quota: number | null;
  /** As the headers of the old host told it last; null: they never did. */
  readonly toldBefore: number | null;
  readonly bonusRequests: number;
}

/**
 * Whether the new host is subscribed with the plan of the old one, as far as limits show it: no answer names a plan. Where the
 * old host tells no limit any more, the quota that is told by the variables stands for it, then what its headers told last.
 */
export function comparePlans(
  observed: ObservedQuotas,
  { quota, toldBefore, bonusRequests }: KnownPlan,
): PlanComparison {
  const old = observed.old ?? quota ?? toldBefore;
  const quotas = { old, new: observed.new };
  if (old === null || old === 0 || observed.new === null) return { outcome: 'unknown', ...quotas };
  if (observed.new === old) return { outcome: 'same', ...quotas };
  if (observed.new < old) return { outcome: 'lower', ...quotas };
  return { outcome: bonusRequests > 0 && observed.new === old + bonusRequests ? 'bonus' : 'higher', ...quotas };
}

/** The quota of one answer, where the ones before told none. */
export function observedQuota(before: number | null, quota: Quota | null): number | null {
  return quota?.limit ?? before;
}
