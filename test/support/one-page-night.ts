import type { ListedProduct } from '../../src/base/model/index.ts';
import type { Database } from '../../src/db/client.ts';
import { claimAll, enlistWorker, finishReading, openRun, readOf, stageOne } from './open-run.ts';
import { publishStaged } from './publish-staged.ts';

/** Stages one page of products of the UK and publishes it as the night of a date. Returns the run. */
export async function publishOnePage(
  db: Database,
  date: string,
  products: readonly ListedProduct[],
  isCertified = true,
  name = 'Bakery',
): Promise<number> {
  const run = await openRun(db, { date, pages: 1, name });
  const workerId = await enlistWorker(db);
  const [claim] = await claimAll(db, run.runId, workerId);
  await stageOne(db, readOf(run, claim!, products));
  await finishReading(db, run);
  await publishStaged(db, run, { isCertified, now: run.observedAt });
  return run.runId;
}
