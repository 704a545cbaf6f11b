import { createHash } from 'node:crypto';

/**
 * Products of a set that are enough to compare it with another: the standard error of the share they have in common is
 * 3 % at most.
 */
export const sketchSize = 300;

/**
 * Of two sets, each known by its `sketchSize` products with the smallest md5 of their id: the share of products of
 * either that are in both (Jaccard, estimated from the bottom of the union). Null when there is nothing to compare.
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
