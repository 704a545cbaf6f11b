import { maxElements } from './elements.ts';

export interface PageInformation {
  readonly declaredTotal: number | null;
  readonly resultsPerPage: number | null;
  readonly itemsDeclared: number | null;
}

/** Totals of a page under their various names; null if missing or implausible. */
export function readPageInformation(value: unknown): PageInformation {
  const said = typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  return {
    declaredTotal: firstCount(said, ['totalResults', 'totalCount', 'total'], 0, maxProducts),
    // A page size of 0 is invalid.
    resultsPerPage: firstCount(said, ['resultsPerPage', 'pageSize'], 1, maxElements),
    itemsDeclared: firstCount(said, ['resultsOnPage', 'count'], 0, maxElements),
  };
}

/** Implausible for a supermarket; larger counts are ignored. */
const maxProducts = 10_000_000;

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
