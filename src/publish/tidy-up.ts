import { analyzeChanged } from '../db/analyze-changed.ts';
import type { Database } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';
import { sqlFile } from './night.ts';

/** Number of published runs whose pages keep their seen keys (tidy-up.sql). */
export const nightsWithKeys = 3;

/** After a publication: statistics if much of the catalogue is new, and what tidy-up.sql deletes. */
export async function tidyUp(db: Database, runId: number): Promise<void> {
  const [run] = await camelRows<{ isMostlyNew: boolean }>(
    db,
    `select c.changed > 0.1 * r.products_listed as is_mostly_new
     from ops.certificate c join ops.run r using (run_id) where run_id = $1`,
    [runId],
  );
  // Waiting for autovacuum would leave queries with useless plans.
  if (run?.isMostlyNew) await analyzeChanged(db, true);
  await emptyStage(db);
}

/** Deletes the staged rows of finished runs, and the keys on pages of older nights. */
export async function emptyStage(db: Database): Promise<void> {
  await db.query(sqlFile('tidy-up'));
}
