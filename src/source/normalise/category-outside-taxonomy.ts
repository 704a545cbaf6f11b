import { categoryIdsOfPath, decodeCategoryId } from './category-id.ts';
import { readLabel } from './text.ts';

/** A category that the taxonomy lacks; only the path encoded in its id is known. */
interface CategoryOutsideTaxonomy {
  readonly categoryId: string;
  readonly parentId: string | null;
  readonly name: string;
  readonly depth: number;
  readonly path: string;
}

/** Categories on the paths of ids that are not in the taxonomy. An id that encodes no path names one at the top. */
export function categoriesOutsideTaxonomy(categoryIds: readonly string[]): CategoryOutsideTaxonomy[] {
  const outside = new Map<string, CategoryOutsideTaxonomy>();
  for (const id of categoryIds) {
    const names = decodeCategoryId(id) ?? [];
    const ids = categoryIdsOfPath(names);
    const labels = names.map((name) => readLabel(name) ?? name);
    for (const [depth, name] of labels.entries()) {
      const path = labels.slice(0, depth + 1).join(' > ');
      outside.set(ids[depth]!, { categoryId: ids[depth]!, parentId: ids[depth - 1] ?? null, name, depth, path });
    }
    if (ids.at(-1) !== id) outside.set(id, { categoryId: id, parentId: null, name: id, depth: 0, path: id });
  }
  return [...outside.values()];
}
