import { LeaseLost, PricebookError } from '../base/errors.ts';
import { isServerTrouble } from '../db/connection-error.ts';
import type { CrawlContext } from './context.ts';
import { type Unit as FailedUnit, handleFailure } from './handle-failure.ts';
import type { Run } from './ledger/runs.ts';
import type { AsOf, Claim, Units } from './ledger/units.ts';
import { unitsAtATime } from './plan/paging.ts';

/** A kind of unit that a run has to fetch, and how it is fetched and stored. */
export interface UnitKind<Unit extends Claim, Arrived> {
  readonly units: Units<Unit>;
  /** Requests a unit. Null: the unit is settled and there is nothing to store. */
  ask(unit: Unit): Promise<Arrived | null>;
  /** Archives, parses and stages a group of answers. Returns the units that were not stored, with the error of each. */
  keep(group: readonly { readonly unit: Unit; readonly arrived: Arrived }[]): Promise<ReadonlyMap<Unit, unknown>>;
  /** Maximum attempts of a unit, and the handling of its failures. */
  policyOf(unit: Unit): Omit<FailedUnit, 'release' | 'fail' | 'attempts'>;
  /** SQL condition on units `u`; default: all units. */
  readonly where?: string;
}

export interface LoopOptions {
  /** Maximum number of units; a probe of a paused run uses 1. */
  readonly most?: number;
}

/**
 * Interval at which a worker without units looks again, without and with a rate limit: other workers plan and release
 * units, and die. Units that it plans itself wake it.
 */
const lookEveryMs = 500;
const pacedLookEveryMs = 2_000;

/** Units claimed at a time without a rate limit. */
const unpacedClaimSize = 80;
/** With a rate limit, units are claimed when less than this time's requests are left; others wait in the gateway. */
const claimedAheadMs = 200;

/** Minimum wait, because a free unit may be locked briefly by a worker that is claiming it. */
const leastWaitMs = 50;

/**
 * Answers are stored in groups of this size, or after this time without and with a rate limit. A killed process loses
 * the answers that it has not stored.
 */
const groupSize = 64;
const groupWaitMs = 200;
const pacedGroupWaitMs = 3_000;

/** Unexpected failures in a row after which the loop stops, because further requests would be wasted. */
const mostFailing = 8;

/** Maximum number of times that a unit's delay doubles. */
const mostDoublings = 3;

/**
 * Claims units of a run in groups, requests them, and stores the answers in groups. Returns true when no unit of the
 * run is left; false if the run must wait, is over, or the signal was aborted. Several processes may work on one run.
 */
export async function workOnUnits<Unit extends Claim, Arrived>(
  context: CrawlContext,
  run: Run,
  kind: UnitKind<Unit, Arrived>,
  signal: AbortSignal,
  { most = Number.POSITIVE_INFINITY }: LoopOptions = {},
): Promise<boolean> {
  const { db, clock, log, workerId, settings, concurrency } = context;
  const { runId } = run;
  // A probe asks a paused run.
  const isProbe = most !== Number.POSITIVE_INFINITY;
  const { requestsPerSecond } = settings;
  const isPaced = requestsPerSecond > 0;
  const claimSize = Math.min(most, isPaced ? unitsAtATime(requestsPerSecond) : unpacedClaimSize);
  const leastQueued = isPaced
    ? Math.min(concurrency, Math.ceil((requestsPerSecond * claimedAheadMs) / 1_000))
    : concurrency;
  const waitMs = isPaced ? pacedGroupWaitMs : groupWaitMs;

  const queue: Unit[] = [];
  /** Units claimed and not yet settled; `asking` counts those without an answer. */
  let held = 0;
  let asking = 0;
  let claimed = 0;
  /** Unit after which the next claim starts. */
  let after: Unit | null = null;
  let isNoneLeft = false;
  let isStopped = false;
  /** Names of units that failed unexpectedly since the last success. */
  const failing = new Set<string>();
  let failure: unknown;
  let filling: Promise<void> | undefined;
  /** Something happened since the last claim began. */
  let isNews = false;
  let stopWaiting = (): void => undefined;

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
  const wake = (): void => {
    isNews = true;
    stopWaiting();
  };
  const fail = (error: unknown): void => {
    failure ??= error;
    wake();
  };

  signal.addEventListener('abort', wake);
  try {
    await kind.units.freeDead(db, runId, workerId, { own: true });
    await Promise.all(Array.from({ length: concurrency }, lane));
    await Promise.all(settling);
  } finally {
    signal.removeEventListener('abort', wake);
    await filling;
    // If the database is unreachable, the units become free when this worker's heartbeat expires.
    await kind.units.giveBack(db, runId, queue).catch(fail);
  }
  if (failure !== undefined) throw failure;
  return isNoneLeft;

  /**
   * Requests one unit after another. Answers are stored in the background; at most one further group may wait for that.
   */
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
      if (queue.length < leastQueued) {
        filling ??= fill()
          .catch(fail)
          .finally(() => {
            filling = undefined;
          });
      }
      if (unit) return unit;
      await filling;
    }
    return undefined;
  }

  /** Claims units. If none is free, waits until some may be. */
  async function fill(): Promise<void> {
    if (!isProbe && context.isStandingAside()) {
      isStopped = true;
      return;
    }
    isNews = false;
    if (await claim()) return;
    let untilMs = isPaced ? pacedLookEveryMs : lookEveryMs;
    if (held === 0) {
      if (claimed >= most) {
        isNoneLeft = true;
        return;
      }
      const left = await kind.units.left(db, runId, kind.where, stillOpen());
      isStopped = !left.isAsOf;
      isNoneLeft = left.isAsOf && left.units === 0;
      if (isOver()) return;
      await kind.units.freeDead(db, runId, workerId);
      if (await claim()) return;
      untilMs = Math.max(leastWaitMs, Math.min(untilMs, left.freeInMs ?? untilMs));
    }
    if (isOver() || isNews) return;
    await new Promise<void>((resolve) => {
      const late = setTimeout(resolve, untilMs);
      stopWaiting = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  function stillOpen(): AsOf | undefined {
    return isProbe ? undefined : { epoch: run.epoch, phase: run.phase, now: clock.now() };
  }

  /** Returns whether any unit was free. */
  async function claim(): Promise<boolean> {
    if (claimed >= most) return false;
    const { where } = kind;
    const asOf = stillOpen();
    const isFromStart = after === null;
    const units = await kind.units.claim(db, {
      runId,
      workerId,
      limit: claimSize,
      after,
      ...(where && { where }),
      ...(asOf && { asOf }),
    });
    claimed += units.length;
    held += units.length;
    queue.push(...units);
    after = units.length < claimSize ? null : units.at(-1)!;
    // New units may precede the first claimed one.
    return units.length > 0 || (!isFromStart && claim());
  }

  async function workOn(unit: Unit, onAnswer: () => void): Promise<void> {
    // If settling fails, the ledger would keep the unit claimed, so the whole loop must fail.
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
      // The unit costs an attempt like any other failure; the run continues.
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

  /** Stores the answers once they fill a group, no request is in progress, or the group has waited long enough. */
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
        // Pages that were stored may have planned others.
        wake();
        keepSoon();
      });
  }

  /** Delay before the unit's next attempt in milliseconds: exponential, with jitter. */
  function restOf({ attempts, lease }: Unit, costsAttempt: boolean): number {
    if (signal.aborted) return 0;
    const times = costsAttempt ? attempts : lease;
    return settings.firstRestMs * 2 ** Math.min(times - 1, mostDoublings) * (0.5 + Math.random() / 2);
  }
}

/**
 * Stages items in one transaction. If that fails, stages them one by one, so that only the faulty item fails. Returns
 * the items that were not stored with their errors; `LeaseLost` for those that `stage` left out.
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
