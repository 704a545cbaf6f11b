import type { Askable } from '../db/client.ts';
import { runFiles } from './statements.ts';

/**
 * Brings `category_ancestor` to the parents of all categories, for a transaction that wrote these outside a
 * publication.
 */
export async function renewCategoryAncestors(tx: Askable): Promise<void> {
  await tx.query('create temporary table night on commit drop as select region from catalog.region');
  await runFiles(tx, 'category-ancestor');
  await tx.query('drop table night, ancestry');
}
