import { DriftBreaking, FirstPagesUnread, type PricebookError, RunRefused } from '../base/errors.ts';
import type { CrawlContext } from './context.ts';
import { readFirstPages } from './first-pages.ts';
import { abandonRun } from './ledger/abandon-run.ts';
import type { Run } from './ledger/runs.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'settings' | 'tell' | 'findBreakingDrift'>;

/** Which pages of a run may be asked for. */
export type MayAsk = 'all' | { readonly firstPagesUpTo: number } | 'none';

/**
 * The first pages of a few categories come first and are looked at: what cannot be read would be paid for all night.
 * `none`: the run was given up because of what they showed.
 */
export async function afterFirstPages(needs: Needs, run: Run): Promise<MayAsk> {
  const { db, clock, log, runs, settings, findBreakingDrift, tell } = needs;
  if (settings.despiteDrift) return 'all';
  const { lastCategory, anyLeft, isNow, noneReadFor } = await readFirstPages(db, run.runId);
  if (!isNow || lastCategory === null) return 'all';
  // Named, not counted: another worker may see the last of them settled in between, and would ask for those that
  // follow.
  if (anyLeft) return { firstPagesUpTo: lastCategory };
  const { runId, region, snapshotDate } = run;
  const night = `${region} ${snapshotDate}`;
  if (noneReadFor !== null) return giveUp(new FirstPagesUnread(night, noneReadFor));
  const [worst, ...others] = await findBreakingDrift(run);
  if (!worst) return 'all';
  const and = others.length === 0 ? '' : `, and ${others.length} more`;
  return giveUp(new DriftBreaking(night, `${worst.path}: ${worst.said}${and}`));

  async function giveUp(why: PricebookError): Promise<'none'> {
    // Another process may have been faster.
    await abandonRun({ db, runs }, runId, clock.now()).catch((error: unknown) => {
      if (!(error instanceof RunRefused)) throw error;
    });
    log.error({ run: runId, region, reason: why.message }, 'given up');
    tell(runId, why);
    return 'none';
  }
}
