import type { Base, Crawler } from '../app/compose.ts';
import { DriftBreaking, FirstPagesUnread, isOfKey, PricebookError, RunFailed, RunRefused } from '../base/errors.ts';
import { localDate } from '../base/local-date.ts';
import { type RegionCode, regions as regionTerms } from '../base/model/index.ts';
import { expireWaiting } from '../crawl/expire-waiting.ts';
import type { Run } from '../crawl/ledger/runs.ts';
import { openNight } from '../crawl/open-night.ts';
import { isWaiting } from '../crawl/queue/paused-until.ts';
import type { NightPlan } from '../crawl/status/plan-night.ts';
import { type Progress, readProgress } from '../crawl/status/progress.ts';
import { orInterrupted } from './or-interrupted.ts';
import { createPatience } from './patience.ts';

export interface NightWatcher {
  /** Interval at which `onProgress` is called; 1 s by default. */
  readonly progressEveryMs?: number;
  /** Called for each open run, also when its phase changes, and once when it is over. */
  onProgress?(run: Run, progress: Progress): void;
  /** Called for each night before it is opened. */
  onForecast?(plan: NightPlan): void;
  /** Called once if a run waits because the upstream does not answer. */
  onWait?(run: Run): void;
  /** Called for a night that is not crawled because it is certified already. */
  onCertified?(run: Run): void;
  /**
   * Called for a region whose night was refused or has to wait, after the other regions have finished. Without it the
   * error is thrown.
   */
  onRefused?(why: Error): void;
}

export interface NightsAsked {
  readonly regions: readonly RegionCode[];
  readonly maxDetails: number;
  /** Whether to crawl a certified night again. */
  readonly again?: boolean;
  /** Instant that determines the night; by default now. */
  readonly at?: Date;
  readonly signal: AbortSignal;
  /** Whether the followers run at the end; true by default. */
  readonly isFollowed?: boolean;
  /** How long an upstream that does not answer is waited for; by default the run is left to later commands at once. */
  readonly patienceMs?: number;
}

/** Interval at which progress is shown. */
const progressEveryMs = 1_000;
/** Runs are read when one of this process's jobs has ended, and at this interval, for other processes. */
const lookEveryMs = 1_000;

interface Ends {
  readonly over: ReadonlyMap<number, Run>;
  /** Reasons of the runs that have to wait. */
  readonly waiting: ReadonlyMap<number, Error>;
}

/**
 * Crawls tonight's run of each region to its end, together with other workers, runs the followers and returns the
 * crawled runs. A region that is refused, or has to wait for something outside this command (a limit, a key, the
 * upstream), does not stop the other regions; its error is reported at the end.
 */
export async function crawlNights(
  base: Base,
  crawler: Crawler,
  asked: NightsAsked,
  watcher: NightWatcher = {},
): Promise<Run[]> {
  const reasons = new Map<number, Error>();
  const stopListening = crawler.onPause((runId, why) => reasons.set(runId, why));
  return crawl(base, crawler, asked, watcher, reasons).finally(stopListening);
}

async function crawl(
  base: Base,
  { context, untilJobEnds }: Crawler,
  {
    regions,
    maxDetails,
    again = false,
    at = context.clock.now(),
    signal,
    isFollowed = true,
    patienceMs = 0,
  }: NightsAsked,
  watcher: NightWatcher,
  reasons: ReadonlyMap<number, Error>,
): Promise<Run[]> {
  // A stopped key blocks this process, although processes with another key may continue the same runs.
  const stoppedKey = () => [...reasons.values()].find(isOfKey);
  const patience = createPatience(context.clock, patienceMs, (run) => watcher.onWait?.(run));
  // Waits until each run is over or has to wait, whichever process works on it. Waiting runs are reported at the end,
  // so that they do not delay the others.
  const endOf = async (opened: readonly Run[]): Promise<Ends> => {
    const over = new Map<number, Run>();
    const waiting = new Map<number, Error>();
    let [dispatchedMs, shownMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const phases = new Map<number, Run['phase']>();
    /** Ends of pauses after which the run was put into the queues. */
    const triedAt = new Map<number, number>();
    while (over.size + waiting.size < opened.length) {
      signal.throwIfAborted();
      // Begun before the runs are read, so that no end is missed.
      const nextLook = untilJobEnds(Math.min(lookEveryMs, watcher.progressEveryMs ?? lookEveryMs), signal);
      // Workers continue by themselves; this only enqueues jobs that the queue has lost.
      const isDispatchDue = performance.now() - dispatchedMs > context.settings.requeueAfterMs;
      if (isDispatchDue) dispatchedMs = performance.now();
      const isProgressDue = performance.now() - shownMs > (watcher.progressEveryMs ?? progressEveryMs);
      if (isProgressDue) shownMs = performance.now();
      for (const { runId } of opened) {
        if (over.has(runId)) continue;
        const run = await base.runs.byId(runId);
        const isShown = isProgressDue || run.status !== 'open' || phases.get(runId) !== run.phase;
        phases.set(runId, run.phase);
        if (isShown) watcher.onProgress?.(run, await readProgress(base.db, runId));
        waiting.delete(runId);
        if (run.status !== 'open') over.set(runId, run);
        else if (patience.isLeftFor(run)) {
          const until = run.pausedUntil!.getTime();
          if (isWaiting(run, context.clock.now()) || (triedAt.get(runId) === until && !isDispatchDue)) continue;
          triedAt.set(runId, until);
          await orInterrupted(context.dispatch(runId), signal);
        } else if (stoppedKey() ?? run.pausedFor)
          waiting.set(runId, reasons.get(runId) ?? stoppedKey() ?? whyItWaits(run));
        else if (isDispatchDue) await orInterrupted(context.dispatch(runId), signal);
      }
      if (over.size + waiting.size < opened.length) await nextLook;
    }
    return { over, waiting };
  };

  const stale: Run[] = [];
  for (const region of regions) {
    const night = { region, snapshotDate: localDate(at, regionTerms[region].timeZone), origin: 'command' } as const;
    const run = await expireWaiting(context, night);
    if (run) stale.push(run);
  }
  const ended = await endOf(stale);

  // The same instant for all regions, because midnight may pass while the first run is opened.
  const opened: Run[] = [];
  const refused: RunRefused[] = [];
  for (const region of regions) {
    signal.throwIfAborted();
    if (stale.some((run) => run.region === region && ended.waiting.has(run.runId))) continue;
    const night = { region, maxDetails, origin: 'command', again, at, onForecast: watcher.onForecast } as const;
    const run = await openNight(context, night).catch((error: unknown) => {
      if (!(error instanceof RunRefused)) throw error;
      refused.push(error);
      return null;
    });
    if (!run) continue;
    if (run.status !== 'open') {
      watcher.onCertified?.(run);
      continue;
    }
    await base.runs.resume(run.runId);
    await base.pages.reviveFailed(run.runId);
    opened.push(run);
    await orInterrupted(context.dispatch(run.runId), signal);
  }
  const { over, waiting } = await endOf(opened);
  if (isFollowed) await context.followers.follow(signal);
  for (const { runId, status } of over.values()) {
    const why = reasons.get(runId);
    if (status === 'abandoned' && (why instanceof DriftBreaking || why instanceof FirstPagesUnread)) throw why;
  }
  for (const why of [...ended.waiting.values(), ...waiting.values(), ...refused]) {
    if (!watcher.onRefused) throw why;
    watcher.onRefused(why);
  }
  return [...ended.over.values(), ...opened.flatMap(({ runId }) => over.get(runId) ?? [])];
}

/** Error for a run that another process has paused. */
function whyItWaits(run: Run): PricebookError {
  return run.pausedReason === 'failure' ? new RunFailed(run, run.pausedFor ?? '') : new RunWaits(run);
}

/** Another process has paused the run. */
export class RunWaits extends PricebookError {
  override readonly exitCode = 75;
  constructor(run: Run) {
    super(`The run of ${run.region} waits: ${run.pausedFor}`);
  }
}
