/**
 * Of `judged` pairs `right` were right: the share that is right at least, with 95 % confidence. One-sided bound by
 * Clopper and Pearson (Biometrika 26, 1934): the share at which so many or more would be right in 5 of 100 such
 * samples. Without a wrong pair that is 0.05^(1/n), about 1 - 3/n, the rule of three.
 */
export function precisionBound(right: number, judged: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < 60; step += 1) {
    const share = (low + high) / 2;
    if (atMost(judged - right, judged, 1 - share) > 0.05) high = share;
    else low = share;
  }
  return low;
}

/**
 * The chance of at most `most` hits in `trials`, each with the same chance: summed by logarithms, so that nothing
 * overflows.
 */
export function atMost(most: number, trials: number, chance: number): number {
  if (most >= trials || chance === 0) return 1;
  if (chance === 1) return 0;
  let logTerm = trials * Math.log1p(-chance);
  let sum = Math.exp(logTerm);
  for (let hits = 1; hits <= most; hits += 1) {
    logTerm += Math.log((trials - hits + 1) / hits) + Math.log(chance) - Math.log1p(-chance);
    sum += Math.exp(logTerm);
  }
  return Math.min(1, sum);
}
