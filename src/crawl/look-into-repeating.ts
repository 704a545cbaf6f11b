import { createHash } from 'node:crypto';
import type { CategoryNode } from '../base/model/index.ts';
import type { Askable } from '../db/client.ts';
import { readRepeatingCategories } from './ledger/repeating-categories.ts';
import type { Run } from './ledger/runs.ts';
import { categoriesToLookInto, nightOf } from './plan/repeating.ts';

/**
 * Categories of the frontier that only repeat others and are not walked tonight, and their pages that are looked at.
 */
export async function lookIntoRepeating(sql: Askable, run: Run, frontier: readonly CategoryNode[]) {
  const ids = frontier.map(({ categoryId }) => categoryId);
  const repeating = await readRepeatingCategories(sql, run, ids);
  const chance = (place: string) => createHash('md5').update(`${run.runId}/${place}`).digest('hex');
  return categoriesToLookInto(repeating, nightOf(run.snapshotDate), chance);
}
