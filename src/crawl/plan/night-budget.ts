import type { SpendCaps } from '../../base/model/index.ts';

/** What is left of a listing's quota, and for how many nights it has to last. */
export interface QuotaLeft {
  /** null: unlimited. */
  readonly left: number | null;
  /** Kept back for health probes and for finishing what is open. */
  readonly reserve: number;
  /** Nights until the window turns, tonight included. */
  readonly nightsLeft: number;
  /** What the limits of a minute, an hour and a day let through in a day; null: they do not limit. */
  readonly perDay?: number | null;
}

/**
 * What each region needs tonight before any details: its taxonomy and its pages. All of it in units of the listing's
 * limits.
 */
interface RegionNeed {
  readonly region: string;
  readonly pages: number;
  /** Of these, for its taxonomy. */
  readonly taxonomy?: number;
  /** What its run has spent already. */
  readonly spent: number;
  /** No night of it is published. */
  readonly isFirst?: boolean;
}

export interface NightBudget {
  /** Details the quota leaves for the region tonight; null: as many as are worth it. */
  readonly details: number | null;
  /** For its taxonomy and pages; null: all they need. Fewer than they need: categories take turns. */
  readonly pages: number | null;
}

/**
 * What a region may spend tonight when the rest of the window's requests is spread evenly over its nights, and each
 * night's over the regions by what their pages need: pages first, details from what they leave. A book begins with a
 * whole night, if what is left holds one: later ones are held against it, and only then is known what each category
 * takes.
 */
export function nightBudget(
  region: string,
  quota: QuotaLeft,
  needs: readonly RegionNeed[],
  caps: SpendCaps = {},
): NightBudget {
  const mine = needs.find((need) => need.region === region);
  if (!mine) return { details: 0, pages: 0 };
  return withinCaps(shareOf(mine, quota, needs), mine, caps);
}

function shareOf(mine: RegionNeed, quota: QuotaLeft, needs: readonly RegionNeed[]): NightBudget {
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

/** What a run may spend in all goes to its pages first, too. */
function withinCaps({ details, pages }: NightBudget, mine: RegionNeed, caps: SpendCaps): NightBudget {
  const { total = Number.POSITIVE_INFINITY, listing, details: forDetails = Number.POSITIVE_INFINITY } = caps;
  const forPages = Math.min(total, listing === undefined ? total : listing + (mine.taxonomy ?? 0));
  if (forPages < mine.pages) return { details: 0, pages: Math.min(pages ?? forPages, forPages) };
  if (pages !== null) return { details, pages };
  const capped = Math.min(details ?? Number.POSITIVE_INFINITY, forDetails, total - mine.pages);
  return { details: capped === Number.POSITIVE_INFINITY ? null : capped, pages };
}

/** Nights, tonight included, before a window turns; at least one. */
export function nightsUntil(turnsAt: Date | null, now: Date): number {
  if (turnsAt === null) return 1;
  return Math.max(1, Math.ceil((turnsAt.getTime() - now.getTime()) / 86_400_000));
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
