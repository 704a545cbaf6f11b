import { sql } from 'drizzle-orm';
import type { CrawlContext } from './context.ts';
import { afterFirstPages } from './first-pages.ts';
import { detailsOf } from './kinds/details.ts';
import { pagesOf } from './kinds/pages.ts';
import { planDetails } from './ledger/details.ts';
import { detailsAllowed } from './run/budget.ts';
import type { Run } from './run/runs.ts';
import { move } from './run/transitions.ts';
import { lockRun } from './units.ts';
import { idleTimeoutMs, work } from './work.ts';

/**
 * Fetches the units of a night: its pages, then details. Several processes may do so for one run; the ledger, not the
 * queue, says what is left. Another job finishes the run.
 */
export async function crawlNight(context: CrawlContext, runId: number, signal: AbortSignal): Promise<void> {
  const pages = new Map<number, ReturnType<typeof pagesOf>>();
  while (!signal.aborted) {
    const run = await context.openRun(runId);
    if (run?.phase === 'categories') {
      // The catalogue that pages are compared with is read once per run token.
      const kind = pages.get(run.runToken) ?? pagesOf(context, run);
      pages.set(run.runToken, kind);
      await crawlPages(context, run, kind, signal);
    } else if (run?.phase === 'details') {
      if ((await work(context, run, detailsOf(context, run), signal)) === 'done') await endDetails(context, run);
    } else return;
  }
}

async function crawlPages(
  context: CrawlContext,
  run: Run,
  kind: ReturnType<typeof pagesOf>,
  signal: AbortSignal,
): Promise<void> {
  for (;;) {
    const mayAsk = await afterFirstPages(context, run);
    if (mayAsk === 'none') return;
    if (mayAsk === 'all') {
      if ((await work(context, run, kind, signal)) === 'done') await endPages(context, run);
      return;
    }
    const where = sql`u.page_no = 1 and u.attempt_no = 1 and u.category_no <= ${mayAsk.firstPagesUpTo}`;
    if ((await work(context, run, { ...kind, where }, signal)) === 'over') return;
  }
}

/** Plans the details. Every process comes here; one makes the transition. */
async function endPages(context: CrawlContext, run: Run): Promise<void> {
  const { db, settings } = context;
  const limit = await detailsAllowed(db, run);
  await db.tx(
    async (tx) => {
      await lockRun(tx, run.runId);
      if (!(await move(tx, 'startDetails', run)) || limit === 0) return;
      await planDetails(tx, run, { limit, maxAgeDays: settings.maxAgeDays });
    },
    { idleTimeoutMs },
  );
}

async function endDetails({ db }: CrawlContext, run: Run): Promise<void> {
  await db.tx(
    async (tx) => {
      await lockRun(tx, run.runId);
      await move(tx, 'startFinishing', run);
    },
    { idleTimeoutMs },
  );
}
