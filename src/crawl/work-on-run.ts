import type { CrawlContext } from './context.ts';
import { crawlDetails } from './crawl-details.ts';
import { crawlPages } from './crawl-pages.ts';
import { detailsAllowed } from './forecast-run.ts';
import { handleStepFailure } from './handle-failure.ts';
import { countVisits } from './ledger/detail-visits.ts';
import { move } from './ledger/run-life.ts';
import { beginProbe, endProbe } from './ledger/run-stops.ts';
import type { Run } from './ledger/runs.ts';
import { isWaiting } from './queue/paused-until.ts';
import { afterFirstPages } from './stop-at-drift.ts';
import { takeTurns } from './take-turns.ts';
import type { LoopOptions } from './work-loop.ts';

/**
 * Fetches the units of a run: first its pages, then details; a separate job finishes it. Several processes may work on
 * one run. The ledger, not the queue, determines which work is left.
 */
export async function workOnRun(context: CrawlContext, runId: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // Holds this process's job meanwhile; the other jobs of the run go to processes with a usable key.
    await context.untilItReturns(signal);
    if (context.isStandingAside()) return;
    const run = await context.ownership.take(runId);
    if (run?.phase !== 'categories' && run?.phase !== 'details') break;
    if (isWaiting(run, context.clock.now())) return;
    let isProbePassed = false;
    try {
      if (run.pausedFor !== null) isProbePassed = await tryOne(context, run, signal);
      else if (await crawl(context, run, signal)) await advance(context, run);
    } catch (error) {
      if (!signal.aborted) await handleStepFailure(context, run, error);
      throw error;
    }
    if (isProbePassed) await context.dispatch(runId);
  }
  if (!signal.aborted) await context.dispatch(runId);
}

/** Fetches the remaining units of the run's phase. Returns false if the run must wait or is over. */
async function crawl(context: CrawlContext, run: Run, signal: AbortSignal, options?: LoopOptions): Promise<boolean> {
  if (run.phase === 'details') return crawlDetails(context, run, signal, options);
  return crawlPages(context, run, signal, { ...options, whichPages: () => afterFirstPages(context, run) });
}

/** Probes a paused run with one unit, by one process at a time, to find out whether it can continue. */
async function tryOne(context: CrawlContext, run: Run, signal: AbortSignal): Promise<boolean> {
  const turn = await beginProbe(context.db, run.runId, context.clock.now());
  if (turn === null) return false;
  await crawl(context, run, signal, { most: 1 });
  // An aborted probe proves nothing.
  return !signal.aborted && endProbe(context.db, run.runId, turn);
}

/** Moves the run to its next phase when its units are fetched. Every process comes here; one makes the transition. */
async function advance(context: CrawlContext, run: Run): Promise<void> {
  const { db, details, settings } = context;
  const { region } = run;
  if (run.phase === 'details') {
    await move(db, 'startFinishing', run);
    return;
  }
  if (await takeTurns(context, run)) return;
  await countVisits(db, region);
  const limit = await detailsAllowed(context, run);
  await db.tx(async (tx) => {
    if (!(await move(tx, 'startDetails', run))) return;
    if (limit === 0) return;
    await details.plan(tx, run, { limit, maxAgeDays: settings.maxAgeDays });
  });
}
