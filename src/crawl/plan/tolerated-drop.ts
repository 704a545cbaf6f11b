/** However long ago the last certified night: who loses more than that is asked for evidence. */
const mostTolerated = 0.3;

/**
 * Share of the listed products that may go missing between two certified nights, by what may in one (`perNight`).
 * Losses come in bursts that have little to do with each other, so the bound on their sum grows with the square root of
 * the nights: of 5 % a night 13 % after a week and 30 % after five weeks, in which a real supermarket was seen to lose
 * 22 and 27 %.
 */
export function toleratedDrop(perNight: number, nights: number): number {
  const grown = perNight * Math.sqrt(Math.max(1, nights));
  return Math.max(perNight, Math.min(grown, mostTolerated));
}
