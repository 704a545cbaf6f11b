import type { Timing } from '../../src/gateway/limits/clock.ts';

/** Time that passes only while nothing happens: hours of waiting cost nothing, and come out the same every time. */
export interface VirtualTime {
  nowMs(): number;
  /** Something that takes no virtual time, such as a statement: time stops until it has finished. */
  busy<Result>(work: () => Promise<Result>): Promise<Result>;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Time of a process whose clock is off by this much and runs this much too fast. */
  seenBy(clock: { offsetMs: number; drift: number }): Timing;
  /** Advances virtual time until `work` has finished; throws if nothing is waiting and it has not. */
  passUntil(work: Promise<unknown>): Promise<void>;
}

export function createVirtualTime(startMs: number): VirtualTime {
  let nowMs = startMs;
  let busy = 0;
  let happened = 0;
  let onRest = () => {};
  const sleepers: { atMs: number; wake: () => void }[] = [];

  const time: VirtualTime = {
    nowMs: () => nowMs,
    async busy(work) {
      busy += 1;
      try {
        return await work();
      } finally {
        busy -= 1;
        happened += 1;
        if (busy === 0) onRest();
      }
    },
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        happened += 1;
        if (signal?.aborted) return resolve();
        const sleeper = { atMs: nowMs + Math.max(ms, 0), wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener('abort', () => {
          const at = sleepers.indexOf(sleeper);
          if (at >= 0) sleepers.splice(at, 1);
          resolve();
        });
      }),
    seenBy: ({ offsetMs, drift }) => ({
      nowMs: () => offsetMs + nowMs * (1 + drift),
      // Slightly more than requested, as timers do, so that rounding causes no endless loop.
      sleep: (ms, signal) => time.sleep(ms / (1 + drift) + 0.001, signal),
    }),
    async passUntil(work) {
      let isDone = false;
      let failure: unknown = null;
      work.then(
        () => {
          isDone = true;
        },
        (error) => {
          isDone = true;
          failure = error;
        },
      );
      while (!isDone) {
        await quiet();
        if (isDone) break;
        const next = sleepers.reduce<(typeof sleepers)[number] | null>(
          (one, other) => (one === null || other.atMs < one.atMs ? other : one),
          null,
        );
        if (next === null) throw new Error('nothing will ever happen again');
        // Those of one moment go on together, and so meet in the database.
        nowMs = Math.max(nowMs, next.atMs);
        for (const sleeper of sleepers.filter(({ atMs }) => atMs <= nowMs)) {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          sleeper.wake();
        }
      }
      if (failure) throw failure;
    },
  };
  return time;

  /** Resolves when nothing is in progress and all resumed tasks are waiting again. */
  async function quiet(): Promise<void> {
    for (let turns = 0; turns < 3; turns++) {
      const seen = happened;
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (busy > 0) {
        await new Promise<void>((resolve) => {
          onRest = resolve;
        });
      }
      if (happened !== seen) turns = -1;
    }
  }
}
