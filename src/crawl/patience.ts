import type { Clock } from '../base/clock.ts';
import { kindOf, RequestFailed } from '../base/errors.ts';
import type { Run } from './run/runs.ts';

/** How long a command waits for an upstream that does not answer; documented in docs/operate/troubleshooting.md. */
export const upstreamPatienceMs = 5 * 60_000;

/** The same if somebody has to act, as for an unknown host name. */
const lastingPatienceMs = 60_000;

/** A failure so long after the last one belongs to another outage. */
const outageGapMs = 2 * 60_000;

type OnWait = (run: Run, what: string, patienceMs: number) => void;
export type Patience = ReturnType<typeof createPatience>;

/** Waits up to `patienceMs` for an upstream that does not answer. `onWait` is called once per waiting run. */
export function createPatience(clock: Clock, patienceMs: number, onWait: OnWait) {
  const outages = new Map<number, Record<'sinceMs' | 'lastMs' | 'mostMs', number>>();
  return {
    /** Whether the command goes on waiting for this run, which it has left because the upstream does not answer. */
    isLeftFor(run: Run, why: Error | undefined): boolean {
      const { runId } = run;
      if (why === undefined || !isUnanswered(why)) return false;
      const nowMs = clock.now().getTime();
      const last = outages.get(runId);
      const isNew = last === undefined || nowMs - last.lastMs > outageGapMs;
      const sinceMs = isNew ? nowMs : last.sinceMs;
      // What holds requests back later does not say why.
      const isLasting = (why.cause as { readonly isLasting?: boolean } | undefined)?.isLasting === true;
      const mostMs = Math.min(isLasting ? lastingPatienceMs : patienceMs, isNew ? patienceMs : last.mostMs);
      outages.set(runId, { sinceMs, lastMs: nowMs, mostMs });
      const isLeft = nowMs - sinceMs < mostMs;
      if (isLeft && isNew) onWait(run, why instanceof RequestFailed ? why.what : why.message, mostMs);
      return isLeft;
    },
  };
}

/** The upstream fails, or requests to it are held back because it has failed. */
function isUnanswered(why: Error): boolean {
  const kind = kindOf(why);
  const isDown = kind === 'unavailable' || kind === 'unreadable';
  return isDown || (why instanceof RequestFailed && kind === 'waits' && why.reason === 'failing');
}
