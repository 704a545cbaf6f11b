import type { Clock } from '../base/clock.ts';
import type { Run } from '../crawl/ledger/runs.ts';

/** How long a command waits for an upstream that does not answer; documented in docs/operate/troubleshooting.md. */
export const upstreamPatienceMs = 5 * 60_000;

/** Until then one request, the probe, may be under way. */
const probeMs = 90_000;

export interface Patience {
  /** Whether the command goes on waiting for this run, which waits for an upstream that does not answer. */
  isLeftFor(run: Run): boolean;
}

/** Waits up to `patienceMs` for an upstream that does not answer. `onWait` is called once per waiting run. */
export function createPatience(clock: Clock, patienceMs: number, onWait: (run: Run) => void): Patience {
  const waitingSince = new Map<number, number>();
  return {
    isLeftFor(run) {
      const { runId, pausedReason, pausedUntil } = run;
      if (pausedReason !== 'upstream' || pausedUntil === null) {
        waitingSince.delete(runId);
        return false;
      }
      const now = clock.now().getTime();
      const since = waitingSince.get(runId) ?? now;
      const isLeft = now - since < patienceMs && pausedUntil.getTime() - since < patienceMs + probeMs;
      if (isLeft && !waitingSince.has(runId)) onWait(run);
      waitingSince.set(runId, since);
      return isLeft;
    },
  };
}
