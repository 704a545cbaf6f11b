import { recordFailure } from '../ledger/run-life.ts';
import { pausedUntil } from '../queue/paused-until.ts';
import type { CrawlContext } from './context.ts';

/** Hears why a run was paused by this process. */
export type PauseListener = (runId: number, why: Error) => void;

/** Stops runs for a while, for a reason that the ledger keeps and a command that waits for the run hears. */
export function createPausing({ db, clock, log, runs }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs'>) {
  const listeners = new Set<PauseListener>();
  const tell: PauseListener = (runId, why) => {
    for (const listener of listeners) listener(runId, why);
  };

  const pause: CrawlContext['pause'] = async (runId, why, during) => {
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

  return { pause, rest, tell, onPause };
}
