import type { Clock } from '../../base/clock.ts';
import type { ListingName } from '../../base/model/index.ts';
import type { Queryable } from '../../db/client.ts';
import type { Sending } from '../attempt.ts';
import { DatabaseClock, processTiming } from './clock.ts';
import { Gate } from './gate.ts';
import type { ListingLimits } from './limits.ts';

export interface GatesNeeds {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly listings: Readonly<Record<ListingName, ListingLimits>>;
  /** Called when counts could not be written; they are kept and written later. */
  readonly onTrouble?: (error: unknown) => void;
}

/** How long a process keeps counts, and permissions that it may not need. */
const gatherMs = 1_000;

/** The gates of a process: one for each listing and run. */
export function createGates(needs: GatesNeeds, send: (probe: Sending) => Promise<unknown>) {
  const { db, clock, listings, onTrouble } = needs;
  const serverClock = new DatabaseClock(processTiming);
  const gates = new Map<string, Gate>();
  let timer: NodeJS.Timeout | null = null;

  return {
    of(listing: ListingName, runId: number | null): Gate {
      timer ??= setTimeout(tidy, gatherMs);
      const name = `${listing} ${runId}`;
      const known = gates.get(name);
      if (known) return known;
      const limits = listings[listing];
      const gate: Gate = new Gate({
        ...{ db, clock, timing: processTiming, serverClock, listing: limits.account ?? listing, runId, limits },
        probe: (target, permit, signal) => {
          const question = { listing, endpoint: 'probe', region: null, paths: [target], query: {}, runId } as const;
          return send({ gate, permit, question, target, signal });
        },
      });
      gates.set(name, gate);
      return gate;
    },

    write,

    async close(): Promise<void> {
      if (timer) clearTimeout(timer);
      await onEach((gate) => gate.close());
    },
  };

  /** Writes all counts, and gives back what a gate keeps that nothing goes through. */
  function write(): Promise<void> {
    return onEach((gate) => (gate.isIdle ? gate.close() : gate.write()));
  }

  async function tidy(): Promise<void> {
    timer = null;
    let isBusy = [...gates.values()].some((gate) => !gate.isIdle);
    await write().catch(() => {
      isBusy = true;
    });
    if (isBusy) timer ??= setTimeout(tidy, gatherMs);
  }

  /** Works on all of them, even if one fails, and then throws the first error. */
  async function onEach(work: (gate: Gate) => Promise<void>): Promise<void> {
    const ended = await Promise.allSettled([...gates.values()].map(work));
    const failed = ended.find(({ status }) => status === 'rejected');
    if (failed?.status !== 'rejected') return;
    onTrouble?.(failed.reason);
    throw failed.reason;
  }
}
