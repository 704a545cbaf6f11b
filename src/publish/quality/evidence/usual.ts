/** A loss of more than this share between certified nights was proven or released by a user, and so is permanent. */
const step = 0.05;

/**
 * Median of the products that certified nights saw (newest first); null without any. Nights before an accepted fall are
 * ignored.
 */
export function usualProducts(seen: readonly number[]): number | null {
  const fall = seen.findIndex((products, i) => i + 1 < seen.length && products < (1 - step) * seen[i + 1]!);
  const measure = (fall < 0 ? [...seen] : seen.slice(0, fall + 1)).sort((a, b) => a - b);
  if (measure.length === 0) return null;
  const middle = (measure.length - 1) / 2;
  return Math.round((measure[Math.floor(middle)]! + measure[Math.ceil(middle)]!) / 2);
}
