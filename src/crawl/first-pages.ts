import { FirstPagesUnread, type PricebookError, RunRefused } from '../base/errors.ts';
import type { Queryable } from '../db/client.ts';
import { camelRows } from '../db/rows.ts';
import type { CrawlContext } from './context.ts';
import { maxPageAttempts } from './ledger/pages.ts';
import { abandonRun } from './run/end.ts';
import type { Run } from './run/runs.ts';

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
  const pages = `of the first pages of ${region} ${snapshotDate} can be read`;
  if (noneReadFor !== null) return giveUp(new FirstPagesUnread(`None ${pages}`, noneReadFor));
  const [worst, ...others] = await findBreakingDrift(run);
  if (!worst) return 'all';
  const and = others.length === 0 ? '' : `, and ${others.length} more`;
  return giveUp(new FirstPagesUnread(`Not all ${pages} as before`, `${worst.path}: ${worst.said}${and}`));

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

/**
 * Number of categories whose first page is checked before other pages are requested. With a second attempt each, that
 * is fewer than 20 requests.
 */
const pagesLookedAt = 8;

/** Progress of a run with the first pages of its categories. */
interface FirstPages {
  /** Number of the last category whose first page is checked; null if the run has no pages. */
  readonly lastCategory: number | null;
  /** Whether some of these pages are neither read nor failed. */
  readonly anyLeft: boolean;
  /** Whether no other page has been claimed yet. */
  readonly isNow: boolean;
  /** One error message if none of these pages could be read although the upstream answered; otherwise null. */
  readonly noneReadFor: string | null;
}

async function readFirstPages(sql: Queryable, runId: number): Promise<FirstPages> {
  const [pages] = await camelRows<FirstPages>(
    sql,
    `with first as materialized (
       select category_no, status, attempts, error from ops.category_page
       where run_id = $1 and page_no = 1 and attempt_no = 1 order by category_no limit $2
     )
     select max(category_no) as last_category, coalesce(bool_or(status = 'planned'), false) as any_left,
       not exists (
         select from ops.category_page
         where run_id = $1 and (status <> 'planned' or claim_token > 0)
           and not (page_no = 1 and attempt_no = 1 and category_no <= (select max(category_no) from first))
       ) as is_now,
       -- Fewer attempts than the maximum mean that the upstream answered; an outage uses all attempts.
       case when bool_and(status = 'failed' and attempts < $3) then max(error) end as none_read_for
     from first`,
    [runId, pagesLookedAt, maxPageAttempts],
  );
  return pages!;
}
