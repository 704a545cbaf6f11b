import { isWaiting } from '../src/ledger/runs.ts';
import type { JobContext } from './context.ts';

type StagedRun = NonNullable<Awaited<ReturnType<JobContext['stagedRun']>>>;

export interface Batch<Unit> {
  readonly runId: number;
  /** Of the queue job: a process has each batch in hand once. */
  readonly key: string;
  /** Takes what is left of the batch; empty when that is nothing. */
  claim(run: StagedRun): Promise<readonly Unit[]>;
  work(unit: Unit, run: StagedRun): Promise<void>;
}

/**
 * Works on a batch until nothing of it is left to claim, so that what was given back is asked again by the hands that
 * hold it: a job cannot queue itself anew. Then hands on the run's next work.
 */
export async function workOff<Unit>(
  context: Pick<JobContext, 'clock' | 'inHand' | 'stagedRun' | 'advance'>,
  signal: AbortSignal,
  { runId, key, claim, work }: Batch<Unit>,
): Promise<void> {
  // Delivered twice (its lock was lost): whoever holds it goes on, or gives it back.
  if (context.inHand.has(key)) return;
  context.inHand.add(key);
  try {
    while (!signal.aborted) {
      const run = await context.stagedRun(runId);
      if (!run || isWaiting(run.run, context.clock.now())) break;
      const units = await claim(run);
      if (units.length === 0) break;
      // All of them, also when one fails: the batch is in hand until the last has ended.
      const outcomes = await Promise.allSettled(units.map((unit) => work(unit, run)));
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed) throw failed.reason;
    }
  } finally {
    context.inHand.delete(key);
  }
  await context.advance(runId);
}
