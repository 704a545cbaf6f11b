import { decodeCategoryId } from '../../source/normalise/category-id.ts';

/**
 * Whether the path to a breadcrumb's deepest category leads through a category. A breadcrumb may name several
 * branches at once; only the deepest category is kept as the product's own, so only its path counts.
 */
export function passesThrough(breadcrumb: readonly string[], categoryId: string): boolean {
  const leafId = breadcrumb.at(-1);
  if (leafId === undefined) return false;
  if (leafId === categoryId) return true;
  let known = under.get(categoryId);
  if (!known) {
    if (under.size >= cacheMax) under.clear();
    known = new Map();
    under.set(categoryId, known);
  }
  let answer = known.get(leafId);
  if (answer === undefined) {
    answer = isUnder(leafId, categoryId) ?? breadcrumb.includes(categoryId);
    if (known.size >= cacheMax) known.clear();
    known.set(leafId, answer);
  }
  return answer;
}

/** Cache size per category. A taxonomy has some 8,000 nodes, and a page's products repeat the same few pairs. */
const cacheMax = 10_000;
const under = new Map<string, Map<string, boolean>>();

/** Null if one of the ids does not encode its path. */
function isUnder(leafId: string, categoryId: string): boolean | null {
  const leaf = decodeCategoryId(leafId);
  const category = decodeCategoryId(categoryId);
  if (!leaf || !category) return null;
  return category.every((name, depth) => leaf[depth] === name);
}
