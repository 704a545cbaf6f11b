import { createHash } from 'node:crypto';

/** Sample size for comparing two sets: the standard error of the estimated overlap is at most 3%. */
export const sketchSize = 300;

/**
 * Jaccard similarity of two sets, each given by the `sketchSize` products with the smallest md5 of their id (bottom-k
 * sketch). Null if both are empty.
 */
export function agreement(some: readonly string[], others: readonly string[]): number | null {
  const inSome = new Set(some);
  const inOthers = new Set(others);
  const bottom = [...new Set([...some, ...others])]
    .map((id) => ({ id, rank: createHash('md5').update(id).digest('hex') }))
    .sort((a, b) => (a.rank < b.rank ? -1 : 1))
    .slice(0, sketchSize);
  if (bottom.length === 0) return null;
  return bottom.filter(({ id }) => inSome.has(id) && inOthers.has(id)).length / bottom.length;
}
