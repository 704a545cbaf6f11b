/** Some listings show at most ten thousand products (quirks.md, section 4), so a round count suggests truncation. */
const roundTo = 1_000;
/** If at least two categories share the greatest total and it is at least this, it is no coincidence. */
const fewestShared = 240;

/** Totals that look like a limit of the listing instead of a true count: round ones, and the greatest one if shared. */
export function suspectedCaps(totals: readonly (number | null)[]): ReadonlySet<number> {
  const declared = totals.filter((total) => total !== null && total > 0) as number[];
  const greatest = Math.max(0, ...declared);
  const isShared = greatest >= fewestShared && declared.filter((total) => total === greatest).length > 1;
  return new Set([...declared.filter((total) => total % roundTo === 0), ...(isShared ? [greatest] : [])]);
}
