import { readFirstPages } from '../drift/first-pages.ts';
import { DriftBreaking, FirstPagesUnread, type PricebookError, RunRefused } from '../errors.ts';
import { abandonRun } from '../ledger/abandon-run.ts';
import type { Window } from '../ledger/leased-units.ts';
import type { Run } from '../ledger/runs.ts';
import type { CrawlContext } from './context.ts';

export interface DriftLook {
  /** Null: this process has no archive, and leaves it to one that has. */
  readonly findBreakingDrift: CrawlContext['findBreakingDrift'] | null;
}

/**
 * Which batches of pages a run may have in the queue, given how many it may have at all. The first pages of a few categories come
 * first and are looked at: what cannot be read would be paid for all night. Null: the run was given up because of what they showed.
 */
export async function windowAfterFirstPages(
  {
    db,
    clock,
    log,
    runs,
    settings,
    findBreakingDrift,
    tell,
  }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'settings' | 'tell'> & DriftLook,
  run: Run,
  batches: number,
): Promise<Window | null> {
  const whole = { batches, lastBatch: null };
  if (settings.despiteDrift) return whole;
  const { lastBatch, anyLeft, isNow, noneReadFor } = await readFirstPages(db, run.runId);
  if (!isNow) return whole;
  // Named, not counted: another dispatch may see the last of them settled in between, and would hand out those that follow.
  if (anyLeft) return { batches, lastBatch };
  const { runId, region, snapshotDate } = run;
  const night = `${region} ${snapshotDate}`;
  if (noneReadFor !== null) return giveUp(new FirstPagesUnread(night, noneReadFor));
  if (findBreakingDrift === null) return { batches: 0, lastBatch };
  const [worst, ...others] = await findBreakingDrift(run);
  if (!worst) return whole;
  const and = others.length === 0 ? '' : `, and ${others.length} more`;
  return giveUp(new DriftBreaking(night, `${worst.path}: ${worst.said}${and}`));

  async function giveUp(why: PricebookError): Promise<null> {
    // Another process may have been faster.
    await abandonRun({ db, runs }, runId, clock.now()).catch((error: unknown) => {
      if (!(error instanceof RunRefused)) throw error;
    });
    log.error({ run: runId, region, reason: why.message }, 'given up');
    tell(runId, why);
    return null;
  }
}
