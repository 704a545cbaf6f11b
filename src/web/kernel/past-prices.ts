import type { Span } from '../charts/days.ts';

/** Nights of a shelf price, and of what those who pay least paid. */
export interface PastSpell extends Span {
  readonly shelf: number;
  readonly paid: number;
}

export type Past = NonNullable<ReturnType<typeof pastOf>>;

/**
 * What a product cost on the nights that are known, for anyone: the members' price where there is one. Null: no night
 * is known.
 */
export function pastOf(spells: readonly PastSpell[]) {
  const known = spells.filter(({ from, to }) => from < to).sort((one, other) => other.from - one.from);
  if (known.length === 0) return null;
  const nightly = known.flatMap(({ paid, from, to }) => Array<number>(to - from).fill(paid)).sort((a, b) => a - b);
  const usual = nightly[(nightly.length - 1) >> 1]!;
  const usualNights = nightly.filter((paid) => paid === usual).length;
  const lowest = known.reduce((least, spell) => (spell.paid <= least.paid ? spell : least));
  const ofMembers = known.filter(({ shelf, paid }) => paid === usual && paid < shelf);
  return {
    low: lowest.paid,
    isLowOfMembers: lowest.paid < lowest.shelf,
    /** First day of the lowest price. */
    lowOn: lowest.from,
    high: Math.max(...known.map(({ shelf }) => shelf)),
    /** Median over the nights of what those who pay least paid. */
    usual,
    usualNights,
    /** On most nights of the usual price it was one for members, below the shelf price. */
    isUsualOfMembers: nightsOf(ofMembers) > usualNights / 2,
    nights: nightly.length,
  };
}

const nightsOf = (spells: readonly Span[]) => spells.reduce((sum, { from, to }) => sum + to - from, 0);
