import { mostElements } from './elements.ts';

export interface PageInformation {
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  readonly itemsDeclared: number | null;
}

/** Totals of a page under any of their names; null for what is not said, or beyond belief: a total is never guessed. */
export function readPageInformation(value: unknown): PageInformation {
  const said = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return {
    declaredTotal: firstCount(said, ['totalResults', 'totalCount', 'total'], 0, mostProducts),
    // A page of none is no page.
    resultsPerPage: firstCount(said, ['resultsPerPage', 'pageSize'], 1, mostElements),
    itemsDeclared: firstCount(said, ['resultsOnPage', 'count'], 0, mostElements),
  };
}

/** Far above what a supermarket lists: a higher count says nothing. */
const mostProducts = 10_000_000;

function firstCount(
  said: Record<string, unknown>,
  names: readonly string[],
  least: number,
  most: number,
): number | null {
  for (const name of names) {
    const value = said[name];
    const count = typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value;
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= least && count <= most) return count;
  }
  return null;
}
