import type { Simulator } from '../../src/simulator/index.ts';
import { decodeCategoryId } from '../../src/source/normalise/category-id.ts';

/** A top-level category as the upstream shows it on a date. */
export interface Shelf {
  readonly categoryId: string;
  readonly name: string;
  readonly products: number;
  /** Products that belong here, and products listed elsewhere as well. */
  readonly own: number;
  readonly ownElsewhere: number;
  readonly below: readonly string[];
}

/** Top-level categories of a region on a date, those without products left out. */
export function shelvesOf(simulator: Pick<Simulator, 'truth'>, date: string): Shelf[] {
  const counts = new Map<string, number>();
  const own = new Map<string, number>();
  const elsewhere = new Map<string, number>();
  const count = (counted: Map<string, number>, id: string) => counted.set(id, (counted.get(id) ?? 0) + 1);
  for (const { categoryIds } of simulator.truth('uk', date)) {
    for (const id of categoryIds) count(counts, id);
    const [home] = categoryIds;
    count(own, home!);
    if (categoryIds.some((id) => decodeCategoryId(id)![0] !== decodeCategoryId(home!)![0])) count(elsewhere, home!);
  }
  const paths = [...counts.keys()].map((id) => ({ id, path: decodeCategoryId(id)! }));
  return paths
    .filter(({ path }) => path.length === 1)
    .map(({ id, path }) => ({
      categoryId: id,
      name: path[0]!,
      products: counts.get(id)!,
      own: own.get(id) ?? 0,
      ownElsewhere: elsewhere.get(id) ?? 0,
      below: paths.filter((other) => other.path.length > 1 && other.path[0] === path[0]).map((other) => other.id),
    }))
    .sort((a, b) => (a.categoryId < b.categoryId ? -1 : 1));
}
