import { createHash } from 'node:crypto';
import type { CategoryNode } from '../base/model/index.ts';
import type { Queryable } from '../db/client.ts';
import { readRepeatingCategories } from './ledger/repeating-categories.ts';
import type { Run } from './ledger/runs.ts';
import { categoriesToLookInto, nightOf } from './plan/repeating.ts';

/** Repeating categories of the frontier that are not read completely tonight, with the pages to sample from them. */
export async function lookIntoRepeating(sql: Queryable, run: Run, frontier: readonly CategoryNode[]) {
  const ids = frontier.map(({ categoryId }) => categoryId);
  const repeating = await readRepeatingCategories(sql, run, ids);
  const chance = (place: string) => createHash('md5').update(`${run.runId}/${place}`).digest('hex');
  return categoriesToLookInto(repeating, nightOf(run.snapshotDate), chance);
}
