import { kindOf, RequestFailed, RunFailed } from '../base/errors.ts';
import { isServerTrouble, isTransient } from '../db/connection-error.ts';
import { startStop } from '../gateway/limits/stops.ts';
import { policy } from '../gateway/policy.ts';
import type { CrawlContext } from './context.ts';
import type { Run } from './run/runs.ts';
import { recordFailure } from './run/transitions.ts';

/** Receives the reason for which this process has left a run. */
export type LeaveListener = (runId: number, why: Error) => void;

/** A run that a process leaves. */
type Left = Pick<Run, 'runId' | 'runToken'> & { readonly region: string | null; readonly snapshotDate: string };

/** Handles the end of this process's work on a run. A waiting command receives the reason. */
export function createLeaving({ db, log }: Pick<CrawlContext, 'db' | 'log'>) {
  const listeners = new Set<LeaveListener>();
  const tell: LeaveListener = (runId, why) => {
    for (const listener of listeners) listener(runId, why);
  };

  return {
    tell,

    /** Returns a function that removes the listener. */
    onLeave(listener: LeaveListener): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },

    /**
     * After an error of a run's step. Units have handled their own failures by then, so the run waits: for a stop in
     * force, for room, or longer each time after an unexpected failure. Rethrows what is a fault of the program, or of
     * a server that is away, for the job to fail.
     */
    async leave(run: Left, error: unknown): Promise<void> {
      const why = error instanceof Error ? error : new Error(String(error));
      const kind = kindOf(error);
      const { unit: fate, stop } = policy[kind];
      if (kind === 'claim_lost') return;
      if (kind === 'server_away' || isTransient(error)) throw error;
      // The listing is elsewhere, or has no such endpoint: no failure of this program, however often it says so.
      const isReported = stop?.reason === 'moved' || stop?.reason === 'endpoint';
      if (fate === 'leave' || fate === 'free' || isReported) {
        log.info({ run: run.runId, reason: why.message }, 'the run waits');
        // Notify before writing, so that a command that sees the waiting run knows the reason.
        tell(run.runId, why);
        if (stop && (stop.scope === 'run' || isReported)) {
          const { reason, firstMs: forMs } = stop;
          await startStop(db, { scope: 'run', scopeId: String(run.runId), reason, detail: why.message, forMs });
        }
        return;
      }
      if (isServerTrouble(error)) throw error;
      const isAnswer = error instanceof RequestFailed || kind === 'contract';
      tell(run.runId, isAnswer ? why : new RunFailed({ ...run, region: run.region ?? 'no region' }, why.message));
      const failures = await recordFailure(db, run, why.message);
      const said = { run: run.runId, reason: why.message, failures };
      log[isAnswer ? 'info' : 'warn'](said, 'the run waits after a failure');
      if (!isAnswer) throw error;
    },
  };
}
