import { setTimeout as wait } from 'node:timers/promises';
import type { Queryable } from '../../db/client.ts';
import { rowsOf } from '../../db/rows.ts';

/** Monotonic time of this process, by which requests wait for their slots. */
export interface Timing {
  nowMs(): number;
  /** Resolves after `ms`, or at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const processTiming: Timing = {
  nowMs: () => performance.now(),
  sleep: (ms, signal) => wait(Math.ceil(ms), undefined, signal && { signal }).catch(() => undefined),
};

/** Readings are used so long: by then, clocks have drifted apart by a millisecond. */
const reliableMs = 10_000;
const readings = 8;

/**
 * The database's clock, by which all processes agree on slots. Slots need it to two milliseconds, and a single reading
 * is as wrong as its way back was slow: that of the fastest of several is used.
 */
export class DatabaseClock {
  readonly #timing: Timing;
  #readings: { readonly offsetMs: number; readonly tookMs: number; readonly atMs: number }[] = [];

  constructor(timing: Timing) {
    this.#timing = timing;
  }

  /** Reads the clock until it is known well enough for slots. */
  async sync(sql: Queryable): Promise<void> {
    this.#forget();
    for (let known = this.#readings.length; known < readings; known += 1) {
      const askedMs = this.#timing.nowMs();
      const [row] = await rowsOf<{ ms: number }>(sql, 'select extract(epoch from ops.clock())::float8 * 1000 as ms');
      this.observe(row!.ms, askedMs);
    }
  }

  /** Adds a reading that was asked for at `askedMs` and has just arrived. */
  observe(serverMs: number, askedMs: number): void {
    const atMs = this.#timing.nowMs();
    this.#forget();
    this.#readings.push({ offsetMs: (askedMs + atMs) / 2 - serverMs, tookMs: atMs - askedMs, atMs });
  }

  /** The process's time at an instant of the database's clock. */
  toLocal(serverMs: number): number {
    const [first, ...others] = this.#readings;
    return serverMs + others.reduce((best, each) => (each.tookMs < best.tookMs ? each : best), first!).offsetMs;
  }

  #forget(): void {
    const sinceMs = this.#timing.nowMs() - reliableMs;
    this.#readings = this.#readings.slice(-4 * readings).filter(({ atMs }) => atMs >= sinceMs);
  }
}
