/** Upper bound on the tolerated loss, however old the last certified night is. */
const mostTolerated = 0.3;

/**
 * Tolerated share of listed products lost between two certified nights, given the share tolerated per night. Losses
 * come in independent bursts, so the bound grows with the square root of the nights: 5% per night gives 13% after a
 * week and 30% after five weeks, in which a real supermarket lost 22% and 27%.
 */
export function toleratedDrop(perNight: number, nights: number): number {
  const grown = perNight * Math.sqrt(Math.max(1, nights));
  return Math.max(perNight, Math.min(grown, mostTolerated));
}
