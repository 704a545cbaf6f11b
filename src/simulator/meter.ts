import type { Behaviour } from './settings.ts';

/** One listing's limits: how fast and how much. */
export interface Meter {
  /** Counts a request against the second's limit; false: too fast. Time is monotonic. */
  admits(atMs: number): boolean;
  hasQuota(nowMs: number): boolean;
  /** Counts a used request. */
  use(): void;
  /** Requests used in this period. */
  used(): number;
  setUsed(used: number): void;
  /** Rate headers of an answer: limit, remaining, and seconds until the quota starts again. */
  headers(nowMs: number): Readonly<Record<string, string>>;
}

export function createMeter(behaviour: Readonly<Behaviour>, startMs: number): Meter {
  let recent: number[] = [];
  let used = 0;
  let periodStartMs = startMs;

  function turn(nowMs: number): void {
    const periodMs = behaviour.quotaPeriodSeconds * 1000;
    if (periodMs <= 0 || nowMs < periodStartMs + periodMs) return;
    periodStartMs += Math.floor((nowMs - periodStartMs) / periodMs) * periodMs;
    used = 0;
  }

  return {
    admits(atMs) {
      const { requestsPerSecond, burst } = behaviour;
      if (requestsPerSecond <= 0) return true;
      recent = recent.filter((time) => time > atMs - 1000);
      if (recent.length >= requestsPerSecond + burst) return false;
      recent.push(atMs);
      return true;
    },
    hasQuota(nowMs) {
      turn(nowMs);
      return behaviour.monthlyQuota <= 0 || used < behaviour.monthlyQuota;
    },
    use() {
      used += 1;
    },
    used: () => used,
    setUsed(count) {
      used = count;
    },
    headers(nowMs) {
      turn(nowMs);
      const { monthlyQuota, quotaHeaderLag, quotaPeriodSeconds, requestsPerSecond } = behaviour;
      if (monthlyQuota <= 0) return none;
      const remaining = Math.min(monthlyQuota, Math.max(0, monthlyQuota - used) + quotaHeaderLag);
      const reset = Math.max(0, Math.ceil((periodStartMs + quotaPeriodSeconds * 1000 - nowMs) / 1000));
      return {
        'x-ratelimit-requests-limit': String(monthlyQuota),
        'x-ratelimit-requests-remaining': String(used >= monthlyQuota ? 0 : remaining),
        'x-ratelimit-requests-reset': String(reset),
        ...(requestsPerSecond > 0 ? { 'x-ratelimit-limit': String(requestsPerSecond) } : {}),
      };
    },
  };
}

const none: Readonly<Record<string, string>> = {};
