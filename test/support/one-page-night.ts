import type { ListedProduct } from '../../src/base/model/index.ts';
import type { Database } from '../../src/db/client.ts';
import { publish } from '../../src/publish/publish.ts';
import { claimAll, enlistWorker, finishReading, openRun, readOf, stageOne } from './open-run.ts';

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
  await stageOne(db, readOf(run, claim!, workerId, products));
  await finishReading(db, run);
  await publish(db, {
    runId: run.runId,
    epoch: run.epoch,
    certified: isCertified
      ? { verdict: 'complete', reasons: [], evidence: {} }
      : { verdict: 'partial', reasons: ['a page could not be read'], evidence: {} },
    delistAfter: 2,
    clock: { now: () => run.observedAt },
  });
  return run.runId;
}
