import { categoryIdsOfPath, decodeCategoryId } from './category-id.ts';
import { readLabel } from './text.ts';

/** A category that breadcrumbs name and the taxonomy does not; all that is known of it is the path its id holds. */
export interface CategoryOutsideTaxonomy {
  readonly categoryId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly depth: number;
  readonly path: string;
}

/**
 * The categories on the way to some that the taxonomy does not have, top level first; ids that hold no path are left
 * out.
 */
export function categoriesOutsideTaxonomy(categoryIds: readonly string[]): CategoryOutsideTaxonomy[] {
  const outsideTaxonomy = new Map<string, CategoryOutsideTaxonomy>();
  for (const categoryId of categoryIds) {
    const names = decodeCategoryId(categoryId);
    if (!names) continue;
    const ids = categoryIdsOfPath(names);
    const labels = names.map((name) => readLabel(name) ?? name);
    for (const [depth, name] of labels.entries()) {
      const path = labels.slice(0, depth + 1);
      outsideTaxonomy.set(ids[depth]!, {
        categoryId: ids[depth]!,
        parentId: depth === 0 ? null : ids[depth - 1]!,
        name,
        depth,
        path: path.join(' > '),
      });
    }
  }
  return [...outsideTaxonomy.values()].sort((a, b) => a.depth - b.depth || (a.categoryId < b.categoryId ? -1 : 1));
}
