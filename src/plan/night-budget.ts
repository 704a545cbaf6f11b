/** What is left of a listing's quota, and for how many nights it has to last. */
export interface QuotaLeft {
  /** null: unlimited. */
  readonly left: number | null;
  /** Kept back for health probes and for finishing what is open. */
  readonly reserve: number;
  /** Nights until the window turns, tonight included. */
  readonly nightsLeft: number;
}

/** What each region needs tonight before any details: its taxonomy and its pages. */
export interface RegionNeed {
  readonly region: string;
  readonly pages: number;
  /** Requests its run has spent already. */
  readonly spent: number;
  /** No night of it is published. */
  readonly isFirst?: boolean;
}

export interface NightBudget {
  /** Details the quota leaves for the region tonight; null: as many as are worth it. */
  readonly details: number | null;
  /** Requests for its taxonomy and pages; null: all they need. Fewer than they need: categories take turns. */
  readonly pages: number | null;
}

/**
 * What a region may spend tonight when the rest of the window's requests is spread evenly over its nights, and each night's over
 * the regions by what their pages need: pages first, details from what they leave. A book begins with a whole night, if what is
 * left holds one: later ones are held against it, and only then is known what each category takes.
 */
export function nightBudget(region: string, quota: QuotaLeft, needs: readonly RegionNeed[]): NightBudget {
  if (quota.left === null) return { details: null, pages: null };
  const mine = needs.find((need) => need.region === region);
  if (!mine) return { details: 0, pages: 0 };
  const spentTonight = sum(needs.map(({ spent }) => spent));
  const available = Math.max(0, quota.left + spentTonight - quota.reserve);
  const tonight = Math.floor(available / Math.max(1, quota.nightsLeft));
  const allPages = sum(needs.map(({ pages }) => pages));
  if (allPages > tonight && mine.isFirst && allPages <= available) return { details: 0, pages: null };
  if (allPages > tonight) {
    return { details: 0, pages: Math.floor((tonight * mine.pages) / Math.max(1, allPages)) };
  }
  return { details: Math.floor((tonight - allPages) / needs.length), pages: null };
}

/** Nights, tonight included, before a window turns; at least one. */
export function nightsUntil(turnsAt: Date | null, now: Date): number {
  if (turnsAt === null) return 1;
  return Math.max(1, Math.ceil((turnsAt.getTime() - now.getTime()) / 86_400_000));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
