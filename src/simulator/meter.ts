import type { Behaviour } from './settings.ts';

/** Rate limits and quota of a listing. */
export type Meter = ReturnType<typeof createMeter>;

type LimitedWindow = 'second' | 'minute' | 'hour' | 'day';

export function createMeter(behaviour: Readonly<Behaviour>, startMs: number) {
  const windows = windowsMs.map(([name, ms]) => ({ name, count: createSlidingCount(ms) }));
  let used = 0;
  let period = { startMs, endMs: startMs };

  function turn(nowMs: number): void {
    const { subscribedOn } = behaviour;
    const next = subscribedOn === null ? periodAt(startMs, nowMs) : monthAt(subscribedOn, nowMs);
    if (next.startMs > period.startMs) used = 0;
    period = next;
  }

  function limitOf(window: LimitedWindow): number {
    const { requestsPerSecond, burst, requestsPerMinute, requestsPerHour, requestsPerDay } = behaviour;
    if (window === 'second') return requestsPerSecond > 0 ? requestsPerSecond + burst : 0;
    return { minute: requestsPerMinute, hour: requestsPerHour, day: requestsPerDay }[window];
  }

  return {
    /** Counts a request in all windows; if one is full, returns it without counting. Monotonic time. */
    admits(atMs: number): LimitedWindow | null {
      const full = windows.find(({ name, count }) => {
        const limit = limitOf(name);
        return limit > 0 && count.within(atMs) + 1 > limit;
      });
      if (full) return full.name;
      for (const { name, count } of windows) if (limitOf(name) > 0) count.add(atMs);
      return null;
    },
    hasQuota(nowMs: number): boolean {
      turn(nowMs);
      return behaviour.monthlyQuota <= 0 || used + 1 <= behaviour.monthlyQuota;
    },
    use(): void {
      used += 1;
    },
    used: () => used,
    setUsed(count: number): void {
      used = count;
    },
    /** Rate headers of a response: limit, remaining, and seconds until reset. */
    headers(nowMs: number): Readonly<Record<string, string>> {
      turn(nowMs);
      const { monthlyQuota, quotaHeaderLag, requestsPerSecond } = behaviour;
      if (monthlyQuota <= 0) return none;
      const remaining = Math.min(monthlyQuota, Math.max(0, monthlyQuota - used) + quotaHeaderLag);
      const reset = Math.max(0, Math.ceil((period.endMs - nowMs) / 1000));
      return {
        'x-ratelimit-requests-limit': String(monthlyQuota),
        'x-ratelimit-requests-remaining': String(used >= monthlyQuota ? 0 : remaining),
        'x-ratelimit-requests-reset': String(reset),
        ...(requestsPerSecond > 0 ? { 'x-ratelimit-limit': String(requestsPerSecond) } : {}),
      };
    },
  };
}

const windowsMs: readonly (readonly [LimitedWindow, number])[] = [
  ['second', 1_000],
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
];

/** Sliding window: requests of the last `ms` milliseconds. */
function createSlidingCount(ms: number) {
  let times: number[] = [];
  let from = 0;
  return {
    within(atMs: number): number {
      while (from < times.length && times[from]! <= atMs - ms) from += 1;
      if (from > 1_000 && from > times.length / 2) {
        times = times.slice(from);
        from = 0;
      }
      return times.length - from;
    },
    add(atMs: number): void {
      times.push(atMs);
    },
  };
}

const periodMs = 30 * 86_400_000;

function periodAt(startMs: number, nowMs: number) {
  const begun = startMs + Math.max(0, Math.floor((nowMs - startMs) / periodMs)) * periodMs;
  return { startMs: begun, endMs: begun + periodMs };
}

/** Month of a subscription: starts on its day of the month, or on the last day of shorter months. UTC. */
function monthAt(subscribedOn: string, nowMs: number) {
  const now = new Date(nowMs);
  const day = Number(subscribedOn.slice(8, 10));
  const turnIn = (months: number) => {
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months + 1, 0)).getUTCDate();
    return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, Math.min(day, last));
  };
  return nowMs < turnIn(0) ? { startMs: turnIn(-1), endMs: turnIn(0) } : { startMs: turnIn(0), endMs: turnIn(1) };
}

const none: Readonly<Record<string, string>> = {};
