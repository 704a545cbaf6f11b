/** A category that may be deferred if tonight's requests do not suffice for all. */
export interface RotatedCategory {
  readonly categoryId: string;
  /** Requests for its unread pages; null if unknown. */
  readonly requests: number | null;
  /** Days since it was last read; null: never. */
  readonly daysUnread: number | null;
  /** Whether its first page was requested tonight. */
  readonly isLookedAt?: boolean;
}

export interface TurnRequests {
  /** Requests left for pages tonight, and requests of the whole night. */
  readonly left: number;
  readonly perNight: number;
  /** Requests that the limits allow tonight, ignoring the night's share. */
  readonly most: number;
  /** Assumed requests of a category of unknown size. */
  readonly assumed: number;
  /** Whether a category was already read tonight. */
  readonly hasBegun: boolean;
}

export interface Turns {
  /** Categories to read completely. */
  readonly walk: ReadonlySet<string>;
  /** Categories of which only the first page is read. Its declared total determines when they are read. */
  readonly look: ReadonlySet<string>;
}

/**
 * Share of the remaining requests spent on first pages at a time, so that a new database learns sizes early but can
 * still read what fits.
 */
const lookShare = 0.25;

/**
 * Chooses the categories to read: those never read first, small ones before large ones, then those unread for longest.
 * Only categories that fit the remaining requests are begun. Exception: the first one, if it needs more than a whole
 * night and the limits allow it, because it would never fit.
 */
export function categoriesInTurn(categories: readonly RotatedCategory[], requests: TurnRequests): Turns {
  const { perNight, most, assumed, hasBegun } = requests;
  const isUnknown = ({ requests: size, daysUnread, isLookedAt = false }: RotatedCategory) =>
    size === null && daysUnread === null && !isLookedAt;
  const unknown = requests.left < 1 ? [] : categories.filter(isUnknown);
  const look = unknown.slice(0, Math.max(1, Math.floor(requests.left * lookShare)));

  const costOf = (category: RotatedCategory) => category.requests ?? assumed;
  const queue = categories
    // Categories that were read before wait until the sizes of the unread ones are known.
    .filter((category) => !isUnknown(category) && (look.length === 0 || category.daysUnread === null))
    .map((category) => ({ ...category, days: category.daysUnread ?? Number.MAX_VALUE, cost: costOf(category) }))
    .sort((a, b) => b.days - a.days || a.cost - b.cost || (a.categoryId < b.categoryId ? -1 : 1));
  const walk = new Set<string>();
  let left = requests.left - look.length;
  for (const { categoryId, cost } of queue) {
    const isFirst = !hasBegun && look.length === 0 && walk.size === 0;
    if (cost > left && !(isFirst && cost > perNight && cost <= most)) continue;
    walk.add(categoryId);
    left -= cost;
  }
  return { walk, look: new Set(look.map(({ categoryId }) => categoryId)) };
}
