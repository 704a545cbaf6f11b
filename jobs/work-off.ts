import { setTimeout as sleep } from 'node:timers/promises';
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

/** A unit's attempts are spread over more than a passing trouble of the upstream lasts. */
const firstRestMs = 1_000;
const longestRestMs = 8_000;

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
    for (let round = 1; !signal.aborted; round++) {
      const run = await context.stagedRun(runId);
      if (!run || isWaiting(run.run, context.clock.now())) break;
      const units = await claim(run);
      if (units.length === 0) break;
      if (round > 1) await rest(round - 1, signal);
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

/** Longer each time, and never the same for two batches. Cut off with the job; its units are then given back. */
async function rest(rounds: number, signal: AbortSignal): Promise<void> {
  const ms = Math.min(firstRestMs * 2 ** (rounds - 1), longestRestMs);
  await sleep(ms * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
}
