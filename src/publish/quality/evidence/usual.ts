/**
 * A certified night that lost more than this share of the one before it was believed by evidence or released by a
 * person.
 */
const step = 0.05;

/**
 * The median of what certified nights saw (newest first); null without any. Nights before a fall that was believed are
 * no measure any longer.
 */
export function usualProducts(seen: readonly number[]): number | null {
  const fall = seen.findIndex((products, i) => i + 1 < seen.length && products < (1 - step) * seen[i + 1]!);
  const measure = (fall < 0 ? [...seen] : seen.slice(0, fall + 1)).sort((a, b) => a - b);
  if (measure.length === 0) return null;
  const middle = (measure.length - 1) / 2;
  return Math.round((measure[Math.floor(middle)]! + measure[Math.ceil(middle)]!) / 2);
}
