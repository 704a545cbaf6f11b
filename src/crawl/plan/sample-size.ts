/** Share of unseen products that the sample must detect, and the confidence of detection. */
export const overlookedShare = 0.05;
export const confidence = 0.95;

/**
 * Size of a random sample that proves, with `confidence`, that fewer than `share` of the population are of some kind if
 * none in the sample is. Drawn without replacement (hypergeometric): for 5%, 59 of a large population, most of a small
 * one.
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
