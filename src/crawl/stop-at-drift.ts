import { readFirstPages } from '../drift/first-pages.ts';
import { DriftBreaking, FirstPagesUnread, type PricebookError, RunRefused } from '../errors.ts';
import { abandonRun } from '../ledger/abandon-run.ts';
import type { Run } from '../ledger/runs.ts';
import type { CrawlContext } from './context.ts';

export interface DriftLook {
  /** Null: this process has no archive, and leaves it to one that has. */
  readonly findBreakingDrift: CrawlContext['findBreakingDrift'] | null;
}

/**
 * How many batches of pages a run may have in the queue. The first pages of a few categories come first and are looked at: what
 * cannot be read would be paid for all night. Null: the run was given up because of what they showed.
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
  window: number,
): Promise<number | null> {
  if (settings.despiteDrift) return window;
  const { left, isNow, noneReadFor } = await readFirstPages(db, run.runId);
  if (!isNow) return window;
  if (left > 0) return Math.min(window, left);
  const { runId, region, snapshotDate } = run;
  const night = `${region} ${snapshotDate}`;
  if (noneReadFor !== null) return giveUp(new FirstPagesUnread(night, noneReadFor));
  if (findBreakingDrift === null) return 0;
  const [worst, ...others] = await findBreakingDrift(run);
  if (!worst) return window;
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
