/**
 * Listings that show ten thousand products at most have been seen (quirks.md, section 4): a round count means
 * truncation.
 */
const roundTo = 1_000;
/** From this total on, two categories that share the greatest one are no coincidence. */
const fewestShared = 240;

/**
 * Totals that look like a limit of the listing rather than what is in a category: round ones, and the greatest when
 * shared.
 */
export function suspectedCaps(totals: readonly (number | null)[]): ReadonlySet<number> {
  const declared = totals.filter((total) => total !== null && total > 0) as number[];
  const greatest = Math.max(0, ...declared);
  const isShared = greatest >= fewestShared && declared.filter((total) => total === greatest).length > 1;
  return new Set([...declared.filter((total) => total % roundTo === 0), ...(isShared ? [greatest] : [])]);
}
