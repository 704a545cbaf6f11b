import { setTimeout as sleep } from 'node:timers/promises';
import { beginProbe, endProbe } from '../ledger/run-stops.ts';
import { isWaiting } from '../ledger/runs.ts';
import type { CrawlContext } from './context.ts';

type StagedRun = NonNullable<Awaited<ReturnType<CrawlContext['stagedRun']>>>;

export interface Batch<Unit> {
  readonly runId: number;
  /** Of the queue job: a process has each batch in progress once. */
  readonly key: string;
  /** Takes what is left of the batch; empty when that is nothing. */
  claim(run: StagedRun): Promise<readonly Unit[]>;
  work(unit: Unit, run: StagedRun): Promise<void>;
  /** Gives a unit back as if it had not been taken. */
  giveBack(unit: Unit): Promise<void>;
}

type Needs = Pick<CrawlContext, 'db' | 'clock' | 'inHand' | 'stagedRun' | 'dispatch'> & {
  readonly settings: Pick<CrawlContext['settings'], 'firstRestMs'>;
};

/** The first rest doubles so often at most. */
const mostDoublings = 3;

/**
 * Works on a batch until nothing of it is left to claim, so that what was given back is asked again by the hands that
 * hold it: a job cannot queue itself again. Then hands on the run's next work.
 */
export async function processBatch<Unit>(context: Needs, signal: AbortSignal, batch: Batch<Unit>): Promise<void> {
  const { runId, key, claim, work } = batch;
  // Delivered twice (its lock was lost): whoever holds it goes on, or gives it back.
  if (context.inHand.has(key)) return;
  context.inHand.add(key);
  try {
    for (let round = 1; !signal.aborted; round++) {
      const run = await context.stagedRun(runId);
      if (!run || isWaiting(run.run, context.clock.now())) break;
      let units = await claim(run);
      if (units.length === 0) break;
      if (round > 1) await rest(context.settings.firstRestMs, round - 1, signal);
      if (run.run.pausedFor !== null) {
        if (!(await tryFirst(context, signal, batch, units, run))) break;
        units = units.slice(1);
        await context.dispatch(runId);
      }
      // All of them, also when one fails: the batch is in progress until the last has ended.
      const outcomes = await Promise.allSettled(units.map((unit) => work(unit, run)));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    }
  } finally {
    context.inHand.delete(key);
  }
  await context.dispatch(runId);
}

/** Works on the first unit only, to see whether the run still must wait; all others are given back if so. Says whether it goes on. */
async function tryFirst<Unit>(
  { db, clock }: Needs,
  signal: AbortSignal,
  { runId, work, giveBack }: Batch<Unit>,
  units: readonly Unit[],
  run: StagedRun,
): Promise<boolean> {
  let left = units;
  try {
    const turn = await beginProbe(db, runId, clock.now());
    if (turn === null) return false;
    left = units.slice(1);
    await work(units[0]!, run);
    // Cut off, it has seen nothing: somebody else looks when it is over.
    if (signal.aborted || !(await endProbe(db, runId, turn))) return false;
    left = [];
    return true;
  } finally {
    await Promise.all(left.map(giveBack));
  }
}

/** Longer each time, and never the same for two batches. Cut off with the job; its units are then given back. */
async function rest(firstMs: number, rounds: number, signal: AbortSignal): Promise<void> {
  const ms = firstMs * 2 ** Math.min(rounds - 1, mostDoublings);
  await sleep(ms * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}
