import type { Run } from '../../src/crawl/run/runs.ts';
import type { Database } from '../../src/db/client.ts';
import { assess } from '../../src/publish/assess.ts';
import { type PublishedNight, publishNight } from '../../src/publish/publish-night.ts';
import { tidyUp } from '../../src/publish/tidy-up.ts';

interface Options {
  /** Whatever the evidence says. */
  readonly isCertified?: boolean;
  readonly now?: Date;
}

/** Publishes a staged run with a verdict of the test's own, and tidies up. */
export async function publishStaged(
  db: Database,
  run: Pick<Run, 'runId' | 'region' | 'runToken'>,
  { isCertified = true, now = new Date('2026-03-01T03:00:00Z') }: Options = {},
): Promise<PublishedNight> {
  const certify = { tolerance: 0.001, maxDrop: 0.05 };
  await db.tx((tx) => assess(tx, run.runId, certify));
  await db.query('update ops.category_evidence set is_uncertain = false where run_id = $1', [run.runId]);
  const needs = { db, clock: { now: () => now }, settings: { certify, delistAfter: 2 } };
  const published = await publishNight(
    needs,
    run,
    isCertified
      ? { verdict: 'complete', reasons: [] }
      : { verdict: 'partial', reasons: [{ code: 'pages_failed', path: 'Bakery', figures: [1, 2] }] },
  );
  await tidyUp(db);
  return published;
}
