import { setTimeout as sleep } from 'node:timers/promises';
import { isOfKey, RunFailed } from '../base/errors.ts';
import { stopReasonOf } from './consequence.ts';
import type { CrawlContext } from './context.ts';
import { recordFailure } from './ledger/run-life.ts';
import { pausedUntil } from './queue/paused-until.ts';

/** Receives the reason for which this process paused a run. */
export type PauseListener = (runId: number, why: Error) => void;

/**
 * How long a process whose key is stopped leaves the runs to other processes. Its next job then checks whether they are
 * still at work.
 */
const asideMs = 60_000;

/** A pause that begins so soon after the last one is for the same trouble. */
const inARowMs = 60_000;

/**
 * Pauses runs. The ledger stores the reason, and a waiting command receives it. A refused key or used-up quota does not
 * pause a run while a process with another key works on it: only this process stands aside.
 */
export function createPausing(
  { db, clock, log, runs }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs'>,
  isOtherKeyAtWork: () => Promise<boolean>,
) {
  const leaving = new AbortController();
  let asideUntilMs: number | null = null;
  /** How often runs were paused in a row, and until when. */
  const pauses = new Map<number, { readonly times: number; readonly until: Date }>();
  const listeners = new Set<PauseListener>();
  const tell: PauseListener = (runId, why) => {
    for (const listener of listeners) listener(runId, why);
  };

  const pause: CrawlContext['pause'] = async (runId, why, during) => {
    if (isOfKey(why) && (isStandingAside() || (await isOtherKeyAtWork()))) {
      if (asideUntilMs === null)
        log.warn(
          { run: runId, reason: why.message },
          'this process pauses; another process continues the run with its own key',
        );
      if (!isStandingAside()) asideUntilMs = performance.now() + asideMs;
      return tell(runId, why);
    }
    log.info({ run: runId, reason: why.message }, 'the run is paused');
    // Notify before writing, so that a command that sees the paused run knows the reason.
    tell(runId, why);
    const since = clock.now();
    const last = pauses.get(runId);
    const isInARow = last !== undefined && since.getTime() - last.until.getTime() < inARowMs;
    const times = isInARow ? last.times + 1 : 1;
    const until = pausedUntil(why, since, times);
    pauses.set(runId, { times, until });
    const stop = { reason: stopReasonOf(why), detail: why.message, since, until };
    await runs.pause(runId, stop, during);
  };

  const pauseAfterFailure: CrawlContext['pauseAfterFailure'] = async (run, why) => {
    // Notify before writing, as above.
    tell(run.runId, new RunFailed(run, why.message));
    const failures = await recordFailure(db, run, { why: why.message, now: clock.now() });
    log.warn({ run: run.runId, reason: why.message, failures }, 'the run is paused after an unexpected failure');
  };

  /** Returns a function that removes the listener. */
  const onPause = (listener: PauseListener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  const isStandingAside = () => asideUntilMs !== null && performance.now() < asideUntilMs;

  const untilItReturns: CrawlContext['untilItReturns'] = async (signal) => {
    if (!isStandingAside()) return;
    const either = AbortSignal.any([signal, leaving.signal]);
    await sleep(asideUntilMs! - performance.now(), undefined, { signal: either }).catch(() => undefined);
  };

  return { pause, pauseAfterFailure, tell, onPause, isStandingAside, untilItReturns, leave: () => leaving.abort() };
}
