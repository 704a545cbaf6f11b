import { categoryIdsOfPath, decodeCategoryId } from './category-id.ts';
import { readLabel } from './text.ts';

/** A category in breadcrumbs that the taxonomy lacks; only the path encoded in its id is known. */
export interface CategoryOutsideTaxonomy {
  readonly categoryId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly depth: number;
  readonly path: string;
}

/** Categories on the paths of ids that are not in the taxonomy, top level first; ids without a path are skipped. */
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
