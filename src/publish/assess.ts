import { and, eq, inArray } from 'drizzle-orm';
import type { Transaction } from '../db/client.ts';
import { categoryEvidence, runEvidence } from '../db/tables/index.ts';
import { type Bounds, type CategoryEvidence, type Judgement, judge, type RunEvidence } from './certificate.ts';
import { fillNight, sqlFile } from './night.ts';

/** Evidence about a run, and the judgement on it. */
export interface Assessment {
  readonly runId: number;
  readonly evidence: RunEvidence;
  readonly categories: readonly CategoryEvidence[];
  readonly judgement: Judgement;
}

/**
 * Gathers the evidence about a run whose pages are all done or failed, stores it, and judges it. Leaves the temporary
 * tables of evidence.sql, which repairs read.
 */
export async function assess(tx: Transaction, runId: number, bounds: Bounds): Promise<Assessment> {
  await fillNight(tx, { runId, isCertified: false, delistAfter: 0 });
  await tx.query(sqlFile('evidence'));
  const [evidence] = await tx.orm.select().from(runEvidence).where(eq(runEvidence.runId, runId));
  const ofRun = eq(categoryEvidence.runId, runId);
  const categories = await tx.orm.select().from(categoryEvidence).where(ofRun).orderBy(categoryEvidence.categoryNo);
  const judgement = judge(evidence!, categories, bounds);
  await tx.orm
    .update(categoryEvidence)
    .set({ isUncertain: true })
    .where(and(ofRun, inArray(categoryEvidence.categoryNo, [...judgement.uncertain])));
  return { runId, evidence: evidence!, categories, judgement };
}
