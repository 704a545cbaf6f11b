import { setTimeout as wait } from 'node:timers/promises';

/** Monotonic time of this process, by which requests wait for their slots. */
export interface Timing {
  /** Milliseconds of a monotonic clock. */
  nowMs(): number;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const processTiming: Timing = {
  nowMs: () => performance.now(),
  async sleep(ms, signal) {
    const isWoken = () => signal?.aborted ?? false;
    await wait(ms, undefined, signal ? { signal } : {}).catch((error) => {
      if (!isWoken()) throw error;
    });
  },
};

/** Waits until an instant of `timing`. Timers may fire slightly early. */
export async function sleepUntil(timing: Timing, atMs: number, signal?: AbortSignal): Promise<void> {
  for (let leftMs = atMs - timing.nowMs(); leftMs > 0; leftMs = atMs - timing.nowMs()) {
    await timing.sleep(Math.min(leftMs, longestTimerMs), signal);
    if (signal?.aborted) return;
  }
}

/** Node fires longer timers at once. */
const longestTimerMs = 2 ** 31 - 1;
