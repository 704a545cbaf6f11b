import { LeaseLost, PricebookError } from '../base/errors.ts';
import { isServerTrouble } from '../db/connection-error.ts';
import type { CrawlContext } from './context.ts';
import { type Unit as FailedUnit, handleFailure } from './handle-failure.ts';
import type { Run } from './ledger/runs.ts';
import { type Claim, notifyNoneLeft, type Units, unitsChannel } from './ledger/units.ts';
import { holdWorkerLock } from './ledger/workers.ts';
import { unitsAtATime } from './plan/paging.ts';
import { isWaiting } from './queue/paused-until.ts';

/** One kind of unit that a run has to fetch, and what is done with it. */
export interface UnitKind<Unit extends Claim, Arrived> {
  readonly units: Units<Unit>;
  /** Asks for a unit. Null: nothing is to be kept, the unit is settled. */
  ask(unit: Unit): Promise<Arrived | null>;
  /** Archives, reads and stages what has arrived, as a group. Returns why some of it was not kept. */
  keep(group: readonly { readonly unit: Unit; readonly arrived: Arrived }[]): Promise<ReadonlyMap<Unit, unknown>>;
  /** How often a unit is asked for, and what follows from its failures. */
  policyOf(unit: Unit): Omit<FailedUnit, 'release' | 'fail' | 'attempts'>;
  /** SQL: only such units `u` are worked on; all. */
  readonly where?: string;
}

export interface LoopOptions {
  /** Units to work on at most: one finds out whether a run must wait longer. */
  readonly most?: number;
}

/** A worker that waits for units looks for dead workers so often: nobody tells of them. */
const lookForDeadEveryMs = 2_000;

/** What is free may be locked for a moment by a worker that claims it. */
const leastWaitMs = 50;

/**
 * What is kept together: so many units, or what has arrived in so long, where no rate is set and where one is. A
 * process that is killed loses the answers that it has not kept.
 */
const groupSize = 64;
const groupWaitMs = 200;
const pacedGroupWaitMs = 3_000;

/** When so many units failed as only bugs do, and none was kept in between, every further request would be wasted. */
const mostFailing = 8;

/** A unit's rest doubles so often at most. */
const mostDoublings = 3;

/**
 * Claims units of a run in groups, asks for them and keeps what arrives in groups, until no unit of the run is left;
 * then it returns true. False: the run has to wait, is over, or the signal was given. Several processes may do so at
 * once.
 */
export function workOnUnits<Unit extends Claim, Arrived>(
  context: CrawlContext,
  run: Run,
  kind: UnitKind<Unit, Arrived>,
  signal: AbortSignal,
  { most = Number.POSITIVE_INFINITY }: LoopOptions = {},
): Promise<boolean> {
  const { db, clock, log, workerId, settings, concurrency } = context;
  const { runId } = run;
  const claimSize = Math.min(most, unitsAtATime(settings.requestsPerSecond));
  const waitMs = settings.requestsPerSecond === 0 ? groupWaitMs : pacedGroupWaitMs;

  const queue: Unit[] = [];
  /** Claimed and not yet settled, and asked for without an answer so far. */
  let held = 0;
  let asking = 0;
  let claimed = 0;
  /** After which unit the next claim looks. */
  let after: Unit | null = null;
  /** The last claim found no more; until a notification says that there is. */
  let isDry = false;
  let isNoneLeft = false;
  let isStopped = false;
  /** Units that failed unexpectedly since one was kept. */
  const failing = new Set<string>();
  let failure: unknown;
  let claiming: Promise<void> | undefined;
  let looking: Promise<void> | undefined;
  let wake = (): void => undefined;

  interface Waiting {
    readonly unit: Unit;
    readonly arrived: Arrived;
    resolve(): void;
    reject(error: unknown): void;
  }
  let arrivals: Waiting[] = [];
  const settling = new Set<Promise<void>>();
  let keeping: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const isOver = () => isStopped || isNoneLeft || failure !== undefined || signal.aborted;
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };

  return holdWorkerLock(db, workerId, unitsChannel, { onNotice, onLost: fail }, async () => {
    const onAbort = () => wake();
    signal.addEventListener('abort', onAbort);
    try {
      await kind.units.freeDead(db, runId, workerId, { own: true });
      await Promise.all(Array.from({ length: concurrency }, lane));
      await Promise.all(settling);
    } finally {
      signal.removeEventListener('abort', onAbort);
      await claiming;
      // Where the database is away they are free when this worker's lock is gone.
      await kind.units.giveBack(db, runId, queue).catch(fail);
    }
    if (failure !== undefined) throw failure;
    return isNoneLeft;
  });

  function onNotice(payload: string): void {
    if (payload !== String(runId)) return;
    isDry = false;
    wake();
  }

  /** Asks for one unit after the other; what has arrived is kept meanwhile, but no more waits for that than a group. */
  async function lane(): Promise<void> {
    for (let unit = await next(); unit; unit = await next()) {
      await answerTo(unit);
      while (keeping && arrivals.length >= groupSize) await keeping;
    }
  }

  /** Resolves when the unit is answered, or settled without an answer. */
  function answerTo(unit: Unit): Promise<void> {
    return new Promise((onAnswer) => {
      const settled = workOn(unit, onAnswer).finally(() => {
        settling.delete(settled);
        onAnswer();
      });
      settling.add(settled);
    });
  }

  async function next(): Promise<Unit | undefined> {
    while (!isOver()) {
      const unit = queue.shift();
      if (queue.length < concurrency && !isDry && claimed < most) {
        claiming ??= claim()
          .catch(fail)
          .finally(() => {
            claiming = undefined;
          });
      }
      if (unit) return unit;
      looking ??= lookForMore()
        .catch(fail)
        .finally(() => {
          looking = undefined;
        });
      await looking;
    }
    return undefined;
  }

  async function claim(): Promise<void> {
    if (most === Number.POSITIVE_INFINITY && !(await mayGoOn())) {
      isStopped = true;
      return;
    }
    const { where } = kind;
    const units = await kind.units.claim(db, { runId, workerId, limit: claimSize, after, ...(where && { where }) });
    claimed += units.length;
    held += units.length;
    queue.push(...units);
    const isEnd = units.length < claimSize;
    // Behind the last unit nothing is left; before the first claimed one there may be new ones.
    isDry = isEnd && after === null;
    after = isEnd ? null : units.at(-1)!;
  }

  async function mayGoOn(): Promise<boolean> {
    const now = await context.takeToAsk(runId);
    return now !== null && now.epoch === run.epoch && now.phase === run.phase && !isWaiting(now, clock.now());
  }

  /** Nothing polls: other workers notify when units become free; only that a worker died is not told. */
  async function lookForMore(): Promise<void> {
    await claiming;
    if (isOver() || queue.length > 0 || (!isDry && claimed < most)) return;
    let untilMs: number | null = null;
    if (held === 0) {
      if (claimed >= most) {
        isNoneLeft = true;
        return;
      }
      await kind.units.freeDead(db, runId, workerId);
      await claim();
      if (isOver() || queue.length > 0) return;
      const left = await kind.units.left(db, runId, kind.where);
      if (left.units === 0) {
        isNoneLeft = true;
        await notifyNoneLeft(db, runId);
        return;
      }
      untilMs = left.freeInMs;
      if (left.held > 0) untilMs = Math.min(untilMs ?? lookForDeadEveryMs, lookForDeadEveryMs);
    }
    if (isOver() || (!isDry && claimed < most)) return;
    await new Promise<void>((resolve) => {
      const late = untilMs === null ? undefined : setTimeout(resolve, Math.max(untilMs, leastWaitMs));
      wake = () => {
        clearTimeout(late);
        resolve();
      };
    });
    isDry = false;
  }

  async function workOn(unit: Unit, onAnswer: () => void): Promise<void> {
    // The ledger would say for ever that this worker has the unit.
    const failLoop = (error: unknown): never => {
      fail(error);
      throw error;
    };
    const pausing = {
      pause: async (...why: Parameters<CrawlContext['pause']>) => {
        isStopped = true;
        await context.pause(...why).catch(failLoop);
      },
    };
    try {
      await handleFailure(pausing, runId, signal, () => askFor(unit, onAnswer), {
        ...kind.policyOf(unit),
        attempts: unit.attempts,
        release: (costsAttempt, why) =>
          kind.units
            .release(db, runId, unit, { costsAttempt, why, restMs: restOf(unit, costsAttempt) })
            .catch(failLoop),
        fail: (why) => kind.units.fail(db, runId, unit, why).catch(failLoop),
      });
    } catch (error) {
      failing.add(kind.units.nameOf(unit));
      if (error instanceof PricebookError || isServerTrouble(error) || failing.size >= mostFailing) fail(error);
      // The unit costs an attempt like any other; the run goes on.
      else log.error({ job: 'crawl', run: runId, err: error }, 'a job failed unexpectedly');
    } finally {
      held -= 1;
      keepSoon();
      if (held === 0 || isOver()) wake();
    }
  }

  async function askFor(unit: Unit, onAnswer: () => void): Promise<void> {
    if (isOver()) return kind.units.giveBack(db, runId, [unit]);
    asking += 1;
    const arrived = await kind.ask(unit).finally(() => {
      asking -= 1;
    });
    if (arrived === null) return;
    await new Promise<void>((resolve, reject) => {
      arrivals.push({ unit, arrived, resolve, reject });
      keepSoon();
      onAnswer();
    });
    failing.clear();
  }

  /** Keeps what has arrived once it is a group, nothing else is on its way, or it has waited long enough. */
  function keepSoon(): void {
    if (keeping || arrivals.length === 0) return;
    if (arrivals.length < groupSize && asking > 0) {
      timer ??= setTimeout(keepNow, waitMs);
      return;
    }
    keepNow();
  }

  function keepNow(): void {
    clearTimeout(timer);
    timer = undefined;
    if (keeping || arrivals.length === 0) return;
    const group = arrivals;
    arrivals = [];
    keeping = kind
      .keep(group)
      .then(
        (failed) => {
          for (const { unit, resolve, reject } of group) {
            if (failed.has(unit)) reject(failed.get(unit));
            else resolve();
          }
        },
        (error) => {
          for (const { reject } of group) reject(error);
        },
      )
      .finally(() => {
        keeping = undefined;
        keepSoon();
      });
  }

  /** Longer each time, and never the same for two units. */
  function restOf({ attempts, lease }: Unit, costsAttempt: boolean): number {
    if (signal.aborted) return 0;
    const times = costsAttempt ? attempts : lease;
    return settings.firstRestMs * 2 ** Math.min(times - 1, mostDoublings) * (0.5 + Math.random() / 2);
  }
}

/**
 * Stages items in one transaction, or one by one where that fails, so that the one at fault fails alone. Returns why
 * some of them were not kept: `LeaseLost` for those that `stage` left out.
 */
export async function stageTogether<Item>(
  items: readonly Item[],
  stage: (items: readonly Item[]) => Promise<ReadonlySet<Item>>,
): Promise<Map<Item, unknown>> {
  if (items.length === 0) return new Map();
  try {
    const kept = await stage(items);
    return new Map(items.filter((item) => !kept.has(item)).map((item) => [item, new LeaseLost('A unit of work')]));
  } catch (error) {
    if (items.length === 1 || error instanceof PricebookError || isServerTrouble(error))
      return new Map(items.map((item) => [item, error]));
    const failed = new Map<Item, unknown>();
    for (const item of items) for (const [each, why] of await stageTogether([item], stage)) failed.set(each, why);
    return failed;
  }
}
