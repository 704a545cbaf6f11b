export interface PageInformation {
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  readonly itemsDeclared: number | null;
}

/** Totals of a page under any of their names; null for what is not said: a total is never guessed. */
export function readPageInformation(value: unknown): PageInformation {
  const said = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return {
    declaredTotal: firstCount(said, ['totalResults', 'totalCount', 'total']),
    resultsPerPage: firstCount(said, ['resultsPerPage', 'pageSize']),
    itemsDeclared: firstCount(said, ['resultsOnPage', 'count']),
  };
}

function firstCount(said: Record<string, unknown>, names: readonly string[]): number | null {
  for (const name of names) {
    const value = said[name];
    const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count;
  }
  return null;
}
