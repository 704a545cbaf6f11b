/** A category that may wait for another night, where tonight's requests do not suffice for all. */
export interface RotatedCategory {
  readonly categoryId: string;
  /** Requests for those of its pages that are not read yet; null: nobody knows. */
  readonly requests: number | null;
  /** Products of it that change a day. */
  readonly changesPerDay: number;
  /** Since it was last read; null: never. */
  readonly daysUnread: number | null;
  /** Its first page was asked for tonight. */
  readonly isLookedAt?: boolean;
}

export interface TurnRequests {
  /** Left for pages tonight, and what a night had in all. */
  readonly left: number;
  readonly perNight: number;
  /** What the limits let through tonight, whatever the night's share is. */
  readonly most: number;
  /** Taken for a size that is not known. */
  readonly assumed: number;
  /** A category has had its turn tonight. */
  readonly hasBegun: boolean;
}

export interface Turns {
  /** Read to their end. */
  readonly walk: ReadonlySet<string>;
  /**
   * Only their first page, which says how many there are: what is read of them tonight, and on other nights, is chosen
   * by that.
   */
  readonly look: ReadonlySet<string>;
}

/**
 * Share of what is left that goes to first pages at a time: a book that begins knows its sizes soon, and has requests
 * left to read what fits.
 */
const lookShare = 0.25;

/**
 * The categories whose turn it is: those never read first, then by the changes a request is expected to find, so that
 * what changes often comes often and nothing is left out for ever. None is begun that does not fit into what is left,
 * but for the first where it takes more than a whole night has and the limits let it through: it would never fit.
 */
export function categoriesInTurn(categories: readonly RotatedCategory[], requests: TurnRequests): Turns {
  const { perNight, most, assumed, hasBegun } = requests;
  const isUnknown = ({ requests: size, daysUnread, isLookedAt = false }: RotatedCategory) =>
    size === null && daysUnread === null && !isLookedAt;
  const unknown = requests.left < 1 ? [] : categories.filter(isUnknown);
  const look = unknown.slice(0, Math.max(1, Math.floor(requests.left * lookShare)));

  const costOf = (category: RotatedCategory) => category.requests ?? assumed;
  const worth = (category: RotatedCategory) =>
    category.daysUnread === null
      ? Number.POSITIVE_INFINITY
      : (category.changesPerDay * category.daysUnread) / Math.max(1, costOf(category));
  const queue = categories
    // What was read before waits until it is known how much those never read take.
    .filter((category) => !isUnknown(category) && (look.length === 0 || category.daysUnread === null))
    .map((category) => ({ categoryId: category.categoryId, worth: worth(category), cost: costOf(category) }))
    .sort(
      (a, b) => (a.worth === b.worth ? a.cost - b.cost : b.worth - a.worth) || (a.categoryId < b.categoryId ? -1 : 1),
    );
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
