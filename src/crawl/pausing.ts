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
} from '../errors.ts';
import { recordFailure } from '../ledger/run-life.ts';
import type { StopReason } from '../ledger/run-stops.ts';
import { pausedUntil } from '../queue/paused-until.ts';
import type { CrawlContext } from './context.ts';

/** Hears why a run was paused by this process. */
export type PauseListener = (runId: number, why: Error) => void;

/** How long a process takes no work whose key is stopped while others go on with theirs; then one request may see whether it still is. */
const restMs = 60 * 60_000;

/** How often it looks meanwhile whether those others are still there. */
const lookEveryMs = 60_000;

export interface OtherKeys {
  /** Whether a process with another key goes on with the runs. */
  isAtWork(): Promise<boolean>;
  /** Takes no job that asks for so long: it would be taken from those that can do it. Returns what ends that before. */
  takeNoWork(ms: number): () => void;
}

/**
 * Stops runs for a while, for a reason that the ledger keeps and a command that waits for the run hears. What the gateway says of a key,
 * that it is refused or its quota used up, stops no run that goes on with another one: only this process rests, as long as that one is
 * at work.
 */
export function createPausing(
  { db, clock, log, runs }: Pick<CrawlContext, 'db' | 'clock' | 'log' | 'runs'>,
  otherKeys: OtherKeys,
  { everyMs = lookEveryMs } = {},
) {
  let restsUntilMs = 0;
  const listeners = new Set<PauseListener>();
  const tell: PauseListener = (runId, why) => {
    for (const listener of listeners) listener(runId, why);
  };

  const pause: CrawlContext['pause'] = async (runId, why, during) => {
    if (isOfKey(why) && (isResting() || (await otherKeys.isAtWork()))) {
      if (!isResting()) {
        leaveToOthers();
        log.warn({ run: runId, reason: why.message }, 'this process rests; the run goes on with another key');
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

  const isResting = () => performance.now() < restsUntilMs;

  function leaveToOthers(): void {
    restsUntilMs = performance.now() + restMs;
    const takeWork = otherKeys.takeNoWork(restMs);
    const timer = setInterval(async () => {
      if (isResting() && (await otherKeys.isAtWork().catch(() => false))) return;
      clearInterval(timer);
      restsUntilMs = 0;
      takeWork();
    }, everyMs).unref();
  }

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
