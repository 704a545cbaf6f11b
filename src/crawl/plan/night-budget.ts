/** Remaining quota of a listing, and the number of nights it has to last. */
export interface QuotaLeft {
  /** Null: unlimited. */
  readonly left: number | null;
  /** Kept back for health probes and for finishing open runs. */
  readonly reserve: number;
  /** Nights until the quota resets, including tonight. */
  readonly nightsLeft: number;
  /** Daily capacity of the per-minute, hourly and daily limits; null if there are none. */
  readonly perDay?: number | null;
}

/** Units that a region needs tonight before any details: its taxonomy and its pages. */
interface RegionNeed {
  readonly region: string;
  readonly pages: number;
  /** Units its run has spent already. */
  readonly spent: number;
  /** Whether the region has no published night. */
  readonly isFirst?: boolean;
}

export interface NightBudget {
  /** Details the quota allows for the region tonight; null: no limit. */
  readonly details: number | null;
  /** Units for its taxonomy and pages; null: no limit. If fewer than needed, categories rotate. */
  readonly pages: number | null;
}

/**
 * Budget of a region for tonight. The remaining quota is spread evenly over its nights, and each night over the regions
 * in proportion to their pages; details get what the pages leave. The first night of a region may exceed its share to
 * be read completely, because later nights are compared with it.
 */
export function nightBudget(region: string, quota: QuotaLeft, needs: readonly RegionNeed[]): NightBudget {
  const mine = needs.find((need) => need.region === region);
  if (!mine) return { details: 0, pages: 0 };
  const perDay = quota.perDay ?? Number.POSITIVE_INFINITY;
  const spentTonight = sum(needs.map(({ spent }) => spent));
  const left = quota.left ?? Number.POSITIVE_INFINITY;
  const available = Math.max(0, left + spentTonight - quota.reserve);
  const tonight = Math.min(perDay, Math.floor(available / Math.max(1, quota.nightsLeft)));
  if (tonight === Number.POSITIVE_INFINITY) return { details: null, pages: null };
  const allPages = sum(needs.map(({ pages }) => pages));
  if (allPages > tonight && mine.isFirst && allPages <= Math.min(available, perDay)) return { details: 0, pages: null };
  if (allPages > tonight) {
    return { details: 0, pages: Math.floor((tonight * mine.pages) / Math.max(1, allPages)) };
  }
  return { details: Math.floor((tonight - allPages) / needs.length), pages: null };
}

/** Nights until a window resets, including tonight; at least 1. */
export function nightsUntil(turnsAt: Date | null, now: Date): number {
  if (turnsAt === null) return 1;
  return Math.max(1, Math.ceil((turnsAt.getTime() - now.getTime()) / 86_400_000));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
