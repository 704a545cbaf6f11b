import { AccessDenied } from '../errors.ts';
import { recordFailure } from '../ledger/run-life.ts';
import { pausedUntil } from '../queue/paused-until.ts';
import type { CrawlContext } from './context.ts';

/** Hears why a run was paused by this process. */
export type PauseListener = (runId: number, why: Error) => void;

/** How long a process takes no work whose key is refused while others go on with theirs. */
const restMs = 60_000;

/**
 * Stops runs for a while, for a reason that the ledger keeps and a command that waits for the run hears. A refused key stops no run
 * that goes on with another (`isOtherKeyAnswered`): only this process rests.
 */
export function createPausing(
  { db, clock, log, runs }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs'>,
  isOtherKeyAnswered: () => Promise<boolean>,
) {
  let restsUntilMs = 0;
  const listeners = new Set<PauseListener>();
  const tell: PauseListener = (runId, why) => {
    for (const listener of listeners) listener(runId, why);
  };

  const pause: CrawlContext['pause'] = async (runId, why, during) => {
    if (why instanceof AccessDenied && (await isOtherKeyAnswered())) {
      restsUntilMs = performance.now() + restMs;
      log.warn({ run: runId, reason: why.message }, 'this process rests; the run goes on with another key');
      return tell(runId, why);
    }
    log.info({ run: runId, reason: why.message }, 'the run waits');
    // Before the ledger says so: a command that sees the run wait knows why by then.
    tell(runId, why);
    await runs.pause(runId, why.message, pausedUntil(why, clock.now()), during);
  };

  const rest: CrawlContext['rest'] = async ({ runId, epoch }, why) => {
    const failures = await recordFailure(db, { runId, epoch }, { why: why.message, now: clock.now() });
    log.warn({ run: runId, reason: why.message, failures }, 'the run rests after a failure');
    tell(runId, why);
  };

  /** Returns what ends it. */
  const onPause = (listener: PauseListener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  const isResting = () => performance.now() < restsUntilMs;

  return { pause, rest, tell, onPause, isResting };
}
