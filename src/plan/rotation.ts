/** A category that may wait for another night, where tonight's requests do not suffice for all. */
export interface RotatedCategory {
  readonly categoryId: string;
  /** Requests for its pages; null: it was never read, so nobody knows. */
  readonly requests: number | null;
  /** Products of it that change a day. */
  readonly changesPerDay: number;
  /** Since it was last read; null: never. */
  readonly daysUnread: number | null;
}

/**
 * The categories whose turn it is: those never read first, then by the changes a request is expected to find, so that what
 * changes often comes often and nothing is left out for ever. The first is read even if it takes more than there is: it
 * would never fit. `assumed` is taken for a size that is not known.
 */
export function categoriesInTurn(
  categories: readonly RotatedCategory[],
  requests: number,
  assumed: number,
): ReadonlySet<string> {
  const costOf = (category: RotatedCategory) => Math.max(1, category.requests ?? assumed);
  const worth = (category: RotatedCategory) =>
    category.daysUnread === null
      ? Number.POSITIVE_INFINITY
      : (category.changesPerDay * category.daysUnread) / costOf(category);
  const queue = categories
    .map((category) => ({ categoryId: category.categoryId, worth: worth(category), cost: costOf(category) }))
    .sort(
      (a, b) => (a.worth === b.worth ? a.cost - b.cost : b.worth - a.worth) || (a.categoryId < b.categoryId ? -1 : 1),
    );
  const inTurn = new Set<string>();
  let left = requests;
  for (const { categoryId, cost } of queue) {
    if (inTurn.size > 0 && cost > left) continue;
    inTurn.add(categoryId);
    left -= cost;
  }
  return inTurn;
}
