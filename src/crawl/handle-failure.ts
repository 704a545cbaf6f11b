import { EndpointMissing, RedirectRefused, UpstreamUnavailable } from '../base/errors.ts';
import { isServerTrouble, isTransient } from '../db/connection-error.ts';
import { consequenceOf } from './consequence.ts';
import type { CrawlContext } from './context.ts';
import type { Run } from './ledger/runs.ts';

/** A unit of work whose failure a job handles. */
export interface Unit {
  /** Releases the unit for another attempt. */
  release(costsAttempt: boolean, why: string): Promise<void>;
  /** Marks the unit as failed for this run. */
  fail(why: string): Promise<void>;
  /** Attempts so far, including this one, and the maximum. */
  readonly attempts: number;
  readonly mostAttempts: number;
  /** Whether this unit is the only one requested, to find out whether a paused run can continue. */
  readonly isTrial?: boolean;
  /**
   * Checks that the upstream is reachable, although requests to it are held back or its address seems to have moved.
   */
  isUpstreamHealthy?(): Promise<boolean>;
}

/** A payload that is unreadable twice is not a transient error; each further request would be wasted money. */
const mostNotUnderstood = 2;

/**
 * Processes a unit of work and applies the consequence of a failure, as listed in src/crawl/consequence.ts.
 * Without a unit the run is paused. Unexpected errors are rethrown after the unit is released; a unit that fails this
 * way each time reaches its maximum like any other. A unit interrupted by `signal` is released without costing an
 * attempt.
 */
export async function handleFailure(
  context: Pick<CrawlContext, 'pause'>,
  runId: number,
  signal: AbortSignal,
  work: () => Promise<void>,
  unit?: Unit,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const consequence = consequenceOf(error);
    const retry = (most = Number.POSITIVE_INFINITY): Promise<void> | undefined =>
      unit && unit.attempts >= Math.min(most, unit.mostAttempts) ? unit.fail(why) : unit?.release(true, why);
    switch (consequence) {
      case 'drop':
        return;
      case 'wait':
        return unit ? unit.release(false, why) : context.pause(runId, error as Error);
      case 'pause': {
        // The upstream answers other requests: only this request is at fault.
        if (unit && !unit.isTrial && isAboutAddress(error) && (await unit.isUpstreamHealthy?.()))
          return retry(mostNotUnderstood);
        let goesOn = false;
        try {
          await unit?.release(false, why);
          // If the upstream is healthy, only this unit fails. It costs its own attempts and the run continues.
          goesOn = isHeldBack(error) && ((await unit?.isUpstreamHealthy?.()) ?? false);
        } finally {
          // Also pause if releasing the unit failed because the database is unreachable.
          if (!goesOn) await context.pause(runId, error as Error);
        }
        return;
      }
      case 'retry':
        return unit ? retry() : context.pause(runId, error as Error);
      case 'doubt':
        return unit ? retry(mostNotUnderstood) : context.pause(runId, error as Error);
      case 'give_up':
        return unit ? unit.fail(why) : context.pause(runId, error as Error);
      case 'bug':
        if (signal.aborted) return unit?.release(false, why);
        await retry()?.catch(() => undefined);
        throw error;
    }
  }
}

function isAboutAddress(error: unknown): boolean {
  return error instanceof EndpointMissing || error instanceof RedirectRefused;
}

function isHeldBack(error: unknown): boolean {
  return error instanceof UpstreamUnavailable && error.isHeldBack;
}

/**
 * Handles an unexpected failure of a run's step. A bug would fail again, so the run is paused, longer each time, and is
 * finally not retried (run-life.ts). After a deadlock or a server outage the job is simply retried.
 */
export async function handleStepFailure(
  { pause, pauseAfterFailure }: Pick<CrawlContext, 'pause' | 'pauseAfterFailure'>,
  run: Run,
  error: unknown,
): Promise<void> {
  const why = error instanceof Error ? error : new Error(String(error));
  const consequence = consequenceOf(error);
  if (consequence === 'pause') return pause(run.runId, why, run.phase === 'finishing' ? 'finishing' : 'asking');
  if (consequence === 'bug' && !isServerTrouble(error) && !isTransient(error)) await pauseAfterFailure(run, why);
}

/**
 * Checks whether the upstream is down, or only some requests fail (for example the last pages of one category). Used
 * after so many failures in a row that requests are held back. `ask` repeats a request of this run that was answered
 * before; it returns false if there is none. Callers for the same run share one probe.
 */
export function isUpstreamHealthy(
  { healthProbes }: Pick<CrawlContext, 'healthProbes'>,
  runId: number,
  ask: () => Promise<boolean>,
): Promise<boolean> {
  const underWay = healthProbes.get(runId);
  if (underWay) return underWay;
  const healthProbe = ask()
    // A permanent refusal is an answer, too: the upstream is reachable.
    .catch((error: unknown) => consequenceOf(error) === 'give_up')
    .finally(() => healthProbes.delete(runId));
  healthProbes.set(runId, healthProbe);
  return healthProbe;
}
