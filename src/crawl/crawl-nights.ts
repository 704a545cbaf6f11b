import { FirstPagesUnread, PricebookError, RunFailed, RunRefused, ServerUnable } from '../base/errors.ts';
import { limitLines } from '../base/limited-lines.ts';
import type { RegionCode } from '../base/model/index.ts';
import type { CrawlContext } from './context.ts';
import type { LeaveListener } from './leave-run.ts';
import { revivePages } from './ledger/pages.ts';
import { orInterrupted } from './or-interrupted.ts';
import { createPatience, type Patience } from './patience.ts';
import { endIdleRun } from './run/end.ts';
import { openNight } from './run/open.ts';
import type { Run } from './run/runs.ts';

/** What crawls in this process. */
interface Crawling {
  readonly context: CrawlContext;
  onLeave(listener: LeaveListener): () => void;
  untilJobEnds(ms: number, signal: AbortSignal): Promise<void>;
}

export interface NightWatcher {
  /** Interval at which `onProgress` is called; 1 s by default. */
  readonly progressEveryMs?: number;
  /** Called before a region's night is opened. */
  onOpening?(region: RegionCode): Promise<void>;
  /** Called for each open run, also when its phase changes, and once when it is over. */
  onProgress?(run: Run): Promise<void>;
  /** Called once if a run waits because the upstream does not answer: why, and how long the command waits for it. */
  onWait?(run: Run, what: string, patienceMs: number): void;
  /** Called for a night that is not crawled because it is certified already. */
  onCertified?(run: Run): void;
  /**
   * Called for a region whose night was refused or has to wait, after the other regions have finished. Without it the
   * error is thrown.
   */
  onRefused?(why: Error): void;
}

interface NightsAsked {
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

/** Runs are read when one of this process's jobs has ended, and at this interval, for other processes. */
const lookEveryMs = 1_000;

/**
 * Crawls tonight's run of each region to its end, together with other workers, runs the followers and returns the
 * crawled runs. A region that is refused, or has to wait for something outside this command (a limit, a key, the
 * upstream), does not stop the other regions; its error is reported at the end.
 */
export async function crawlNights(crawling: Crawling, asked: NightsAsked, watcher: NightWatcher = {}): Promise<Run[]> {
  const { context, onLeave } = crawling;
  const { regions, maxDetails, again = false, at = context.clock.now(), signal, isFollowed = true } = asked;
  const patience = createPatience(context.clock, asked.patienceMs ?? 0, (...waits) => watcher.onWait?.(...waits));
  const reasons = new Map<number, Error>();
  const stopListening = onLeave((runId, why) => reasons.set(runId, why));
  const untilEnded = (runs: readonly Run[]) => endOf(runs, crawling, { reasons, patience, watcher, signal });
  try {
    const idle = await Promise.all(regions.map((region) => endIdleRun(context, region)));
    const stale = await untilEnded(idle.filter((run) => run !== null));
    const opened: Run[] = [];
    const refused: Error[] = [];
    // The same instant for all regions, because midnight may pass while the first run is opened.
    for (const region of regions) {
      signal.throwIfAborted();
      if (stale.waiting.has(region)) continue;
      await watcher.onOpening?.(region);
      const night = { region, maxDetails, origin: 'command', again, at } as const;
      const run = await openNight(context, night).catch((error: unknown) => {
        if (!(error instanceof RunRefused)) throw error;
        refused.push(error);
        return null;
      });
      if (run !== null && run.status !== 'open') watcher.onCertified?.(run);
      if (run?.status !== 'open') continue;
      await context.runs.goOn(run.runId);
      await revivePages(context.db, run.runId);
      opened.push(run);
      await orInterrupted(context.dispatch(run.runId), signal);
    }
    const { over, waiting } = await untilEnded(opened);
    if (isFollowed) await context.followers.follow(signal);
    for (const { runId, status } of over) {
      const why = reasons.get(runId);
      if (status === 'abandoned' && why instanceof FirstPagesUnread) throw why;
    }
    for (const why of [...stale.waiting.values(), ...waiting.values(), ...refused]) {
      if (!watcher.onRefused) throw why;
      watcher.onRefused(why);
    }
    return [...stale.over, ...over];
  } finally {
    stopListening();
  }
}

interface Waiting {
  /** Why this process has left a run; until it tries again. */
  readonly reasons: Map<number, Error>;
  readonly patience: Patience;
  readonly watcher: NightWatcher;
  readonly signal: AbortSignal;
}

interface Ends {
  readonly over: readonly Run[];
  /** Reasons of the regions whose run has to wait. */
  readonly waiting: ReadonlyMap<RegionCode, Error>;
}

/**
 * Waits until each run is over or has to wait, whichever process works on it. Waiting runs are reported at the end, so
 * that they do not delay the others.
 */
async function endOf(
  runs: readonly Run[],
  { context, untilJobEnds }: Crawling,
  { reasons, patience, watcher, signal }: Waiting,
): Promise<Ends> {
  const { progressEveryMs = lookEveryMs } = watcher;
  const warn = limitLines((fields, message) => context.log.warn(fields, message));
  const over = new Map<number, Run>();
  const waiting = new Map<RegionCode, Error>();
  const phases = new Map<number, Run['phase']>();
  let [dispatchedMs, shownMs] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  while (over.size + waiting.size < runs.length) {
    signal.throwIfAborted();
    // Begun before the runs are read, so that no end is missed.
    const nextLook = untilJobEnds(Math.min(lookEveryMs, progressEveryMs), signal);
    // Workers continue by themselves; this only enqueues jobs that the queue has lost.
    const isDispatchDue = performance.now() - dispatchedMs > context.settings.requeueAfterMs;
    const isFirst = dispatchedMs === Number.NEGATIVE_INFINITY;
    if (isDispatchDue) dispatchedMs = performance.now();
    const isProgressDue = performance.now() - shownMs > progressEveryMs;
    if (isProgressDue) shownMs = performance.now();
    for (const { runId, region } of runs.filter((run) => !over.has(run.runId))) {
      const run = await context.runs.byId(runId);
      if (isProgressDue || run.status !== 'open' || phases.get(runId) !== run.phase) await watcher.onProgress?.(run);
      phases.set(runId, run.phase);
      const why = reasons.get(runId);
      waiting.delete(region);
      const isLeft = run.status === 'open' && patience.isLeftFor(run, why);
      if (run.status !== 'open') over.set(runId, run);
      else if (!isLeft && (why !== undefined || run.stop !== null)) waiting.set(region, why ?? whyItWaits(run));
      // The reason is kept until the run is tried again.
      if (run.status !== 'open' || waiting.has(region) || !isDispatchDue || run.stop !== null) continue;
      reasons.delete(runId);
      await orInterrupted(context.dispatch(runId), signal).catch((error: Error) => {
        // A server that cannot serve for a while, such as a replica during a failover, is asked again later. One that
        // cannot serve at the start ends the command.
        if (isFirst || !(error instanceof ServerUnable)) throw error;
        warn({ reason: error.message }, 'the work could not be queued; it is tried again');
      });
    }
    if (over.size + waiting.size < runs.length) await nextLook;
  }
  return { over: runs.flatMap(({ runId }) => over.get(runId) ?? []), waiting };
}

/** Error for a run that another process has paused. */
const whyItWaits = (run: Run): PricebookError =>
  run.stop?.reason === 'broken' ? new RunFailed(run, run.stop.detail) : new RunWaits(run);

/** Another process has paused the run. */
export class RunWaits extends PricebookError {
  override readonly exitCode = 75;
  constructor(run: Run) {
    super(`The run of ${run.region} waits: ${run.stop?.detail}`);
  }
}
