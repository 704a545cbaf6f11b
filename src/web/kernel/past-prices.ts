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
  const nightly = known.flatMap((spell) => Array<PastSpell>(spell.to - spell.from).fill(spell));
  nightly.sort((one, other) => one.paid - other.paid || one.shelf - other.shelf);
  const usual = nightly[(nightly.length - 1) >> 1]!;
  const lowest = known.reduce((least, spell) => (spell.paid <= least.paid ? spell : least));
  return {
    low: lowest.paid,
    /** First day of the lowest price. */
    lowOn: lowest.from,
    high: Math.max(...known.map(({ shelf }) => shelf)),
    /** Median over the nights of what those who pay least paid. */
    usual: usual.paid,
    usualNights: nightly.filter(({ paid }) => paid === usual.paid).length,
    /** On some nights members paid less than others. */
    hasMembers: known.some(({ paid, shelf }) => paid < shelf),
    nights: nightly.length,
  };
}
