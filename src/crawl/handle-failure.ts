import { BudgetExhausted, EndpointMissing, RedirectRefused, UpstreamUnavailable } from '../base/errors.ts';
import type { CrawlContext } from './context.ts';
import { consequenceOf } from './queue/consequence.ts';

/** What a job does with a unit of work that failed. */
export interface Unit {
  /** Gives it back to be asked again. */
  release(costsAttempt: boolean, why: string): Promise<void>;
  /** Gives it up for this run. */
  fail(why: string): Promise<void>;
  /** How often it was asked, this time included, and how often it may be. */
  readonly attempts: number;
  readonly mostAttempts: number;
  /** The run waits, and this sees whether it still must: nothing else is asked meanwhile. */
  readonly isTrial?: boolean;
  /** What follows when the run has spent what RUN_CAPS allows; without it the run waits. */
  atCap?(why: string): Promise<void>;
  /**
   * Asked when we hold back from an upstream that fails, or it seems to have moved: whether it is there all the same.
   */
  isUpstreamHealthy?(): Promise<boolean>;
}

/** What could not be understood twice is no passing trouble, and every further request is paid for nothing. */
const mostNotUnderstood = 2;

/**
 * Does a unit of work and turns its failure into what follows from it, by the one table in
 * src/crawl/queue/consequence.ts. Without a unit there is nothing to give back: the run waits. Bugs pass through, once
 * the unit is given back; one that goes wrong every time is given up like any other. A unit cut off by `signal` is
 * given back as if it had not been taken.
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
        if (unit?.atCap && error instanceof BudgetExhausted && error.isOfRun) return unit.atCap(error.what);
        // Others are answered there: it is this question that leads nowhere.
        if (unit && !unit.isTrial && isAboutAddress(error) && (await unit.isUpstreamHealthy?.()))
          return retry(mostNotUnderstood);
        let goesOn = false;
        try {
          await unit?.release(false, why);
          // Then what failed did so by itself: each costs its own attempts, and the run goes on.
          goesOn = isHeldBack(error) && ((await unit?.isUpstreamHealthy?.()) ?? false);
        } finally {
          // Also when the database that cannot take the unit back is the reason: nothing more is asked meanwhile.
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
