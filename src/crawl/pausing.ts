import {
  AccessDenied,
  ArchiveFull,
  BudgetExhausted,
  DriftBreaking,
  EndpointMissing,
  FirstPagesUnread,
  isOfKey,
  RateLimited,
  RedirectRefused,
  RunFailed,
  ServerUnable,
  UpstreamUnavailable,
} from '../base/errors.ts';
import type { CrawlContext } from './context.ts';
import { recordFailure } from './ledger/run-life.ts';
import type { StopReason } from './ledger/run-stops.ts';
import { pausedUntil } from './queue/paused-until.ts';

/** Hears why a run was paused by this process. */
export type PauseListener = (runId: number, why: Error) => void;

/**
 * A process whose key is stopped leaves the runs to others for so long. Its next job then shows whether they are still
 * there.
 */
const restMs = 60_000;

interface OtherKeys {
  /** Whether a process with another key goes on with the runs. */
  isAtWork(): Promise<boolean>;
  /** Takes no job that asks for so long: it would be taken from those that can do it. */
  takeNoWork(ms: number): void;
}

/**
 * Stops runs for a while, for a reason that the ledger keeps and a command that waits for the run hears. What the
 * gateway says of a key, that it is refused or its quota used up, stops no run that goes on with another one: only this
 * process rests, as long as that one is at work.
 */
export function createPausing(
  { db, clock, log, runs }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs'>,
  otherKeys: OtherKeys,
) {
  let restsUntilMs: number | null = null;
  const listeners = new Set<PauseListener>();
  const tell: PauseListener = (runId, why) => {
    for (const listener of listeners) listener(runId, why);
  };

  const pause: CrawlContext['pause'] = async (runId, why, during) => {
    if (isOfKey(why) && (isResting() || (await otherKeys.isAtWork()))) {
      if (restsUntilMs === null)
        log.warn({ run: runId, reason: why.message }, 'this process rests; the run goes on with another key');
      if (!isResting()) {
        restsUntilMs = performance.now() + restMs;
        otherKeys.takeNoWork(restMs);
      }
      return tell(runId, why);
    }
    log.info({ run: runId, reason: why.message }, 'the run waits');
    // Before the ledger says so: a command that sees the run wait knows why by then.
    tell(runId, why);
    const since = clock.now();
    const stop = { reason: stopReasonOf(why), detail: why.message, since, until: pausedUntil(why, since) };
    await runs.pause(runId, stop, during);
  };

  const rest: CrawlContext['rest'] = async (run, why) => {
    // First, as above.
    tell(run.runId, new RunFailed(run, why.message));
    const failures = await recordFailure(db, run, { why: why.message, now: clock.now() });
    log.warn({ run: run.runId, reason: why.message, failures }, 'the run rests after a failure');
  };

  /** Returns what ends it. */
  const onPause = (listener: PauseListener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };

  const isResting = () => restsUntilMs !== null && performance.now() < restsUntilMs;

  return { pause, rest, tell, onPause, isResting };
}

/** What a run waits for that was paused for this reason, as a code. */
function stopReasonOf(why: Error): StopReason {
  return reasons.find(([kind]) => why instanceof kind)?.[1] ?? 'failure';
}

const reasons: readonly (readonly [new (...args: never[]) => Error, StopReason])[] = [
  [BudgetExhausted, 'limit'],
  [RateLimited, 'limit'],
  [AccessDenied, 'key_refused'],
  [UpstreamUnavailable, 'upstream'],
  [RedirectRefused, 'moved'],
  [EndpointMissing, 'moved'],
  [DriftBreaking, 'drift'],
  [FirstPagesUnread, 'drift'],
  [ArchiveFull, 'room'],
  [ServerUnable, 'room'],
];
