import type { Queryable } from '../db/client.ts';
import { runFiles } from './statements.ts';

/** Updates `category_ancestor` from the parents of all categories, after they were written outside a publication. */
export async function renewCategoryAncestors(tx: Queryable): Promise<void> {
  await tx.query('create temporary table night on commit drop as select region from catalog.region');
  await runFiles(tx, 'category-ancestor');
  await tx.query('drop table night');
}
