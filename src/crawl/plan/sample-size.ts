/** A share of the unseen products that the sample must not overlook, and how surely it must not. */
export const overlookedShare = 0.05;
export const confidence = 0.95;

/**
 * How many of a population must be asked, chosen at random, so that none of them being of a kind proves that fewer than
 * `share` of all are, with `confidence`. Drawn without replacement (hypergeometric): of 5 %, 59 of a large population,
 * most of a small one.
 */
export function sampleSize(population: number, share = overlookedShare): number {
  const overlooked = Math.ceil(population * share);
  let missedAll = 1;
  let asked = 0;
  while (asked < population && missedAll > 1 - confidence) {
    missedAll *= (population - overlooked - asked) / (population - asked);
    asked += 1;
  }
  return asked;
}
