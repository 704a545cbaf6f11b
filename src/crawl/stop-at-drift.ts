import { DriftBreaking, FirstPagesUnread, type PricebookError, RunRefused } from '../base/errors.ts';
import type { CrawlContext } from './context.ts';
import { readFirstPages } from './first-pages.ts';
import { abandonRun } from './ledger/abandon-run.ts';
import type { Run } from './ledger/runs.ts';

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs' | 'settings' | 'tell' | 'findBreakingDrift'>;

/** Pages of a run that may be requested. */
export type MayAsk = 'all' | { readonly firstPagesUpTo: number } | 'none';

/**
 * Checks the first pages of a few categories before the rest of the night is paid for. Returns `none` if the run was
 * abandoned because they cannot be read.
 */
export async function afterFirstPages(needs: Needs, run: Run): Promise<MayAsk> {
  const { db, clock, log, runs, settings, findBreakingDrift, tell } = needs;
  if (settings.despiteDrift) return 'all';
  const { lastCategory, anyLeft, isNow, noneReadFor } = await readFirstPages(db, run.runId);
  if (!isNow || lastCategory === null) return 'all';
  // Returns a category number, not a count: another worker may settle the last first page in between and would then
  // claim pages beyond them.
  if (anyLeft) return { firstPagesUpTo: lastCategory };
  const { runId, region, snapshotDate } = run;
  const night = `${region} ${snapshotDate}`;
  if (noneReadFor !== null) return giveUp(new FirstPagesUnread(night, noneReadFor));
  const [worst, ...others] = await findBreakingDrift(run);
  if (!worst) return 'all';
  const and = others.length === 0 ? '' : `, and ${others.length} more`;
  return giveUp(new DriftBreaking(night, `${worst.path}: ${worst.said}${and}`));

  async function giveUp(why: PricebookError): Promise<'none'> {
    // Another process may have abandoned the run first.
    await abandonRun({ db, runs }, runId, clock.now()).catch((error: unknown) => {
      if (!(error instanceof RunRefused)) throw error;
    });
    log.error(
      { run: runId, region, reason: why.message },
      'the run was abandoned because its first pages cannot be read',
    );
    tell(runId, why);
    return 'none';
  }
}
