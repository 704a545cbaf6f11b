import { analyzeChanged } from '../db/analyze-changed.ts';
import type { Database } from '../db/client.ts';
import { sqlFile } from './night.ts';

/** Number of published runs whose pages keep their seen keys (tidy-up.sql). */
export const nightsWithKeys = 3;

/** After a publication: statistics of what is mostly new, and what tidy-up.sql deletes. */
export async function tidyUp(db: Database): Promise<void> {
  // Waiting for autovacuum would leave queries with useless plans.
  await analyzeChanged(db);
  await emptyStage(db);
}

/** Deletes the staged rows of finished runs, and the keys on pages of older nights. */
export async function emptyStage(db: Database): Promise<void> {
  await db.query(sqlFile('tidy-up'));
}
