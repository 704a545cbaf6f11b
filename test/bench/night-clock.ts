import type { Clock } from '../../src/base/clock.ts';

/** A clock that can be set to a night and then runs at normal speed. */
export interface NightClock extends Clock {
  setTo(date: string): void;
}

export function createNightClock(date: string): NightClock {
  let offsetMs = offsetOf(date);
  return {
    now: () => new Date(Date.now() + offsetMs),
    setTo(next) {
      offsetMs = offsetOf(next);
    },
  };
}

/** The date `days` after a date. */
export function daysAfter(date: string, days: number): string {
  return new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
}

/** Three in the morning: the same date in both regions, summer and winter. */
function offsetOf(date: string): number {
  return Date.parse(`${date}T03:00:00Z`) - Date.now();
}
