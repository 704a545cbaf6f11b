import type { ClockKind } from './model/index.ts';

/** Source of the current time, injected everywhere; no other code reads the system clock. */
export interface Clock {
  now(): Date;
  /** Instant set by `--now`; absent for the system clock. */
  readonly playedFrom?: Date;
}

/** Kind of a clock; a database accepts one kind only. */
export function kindOfClock({ playedFrom }: Clock): ClockKind {
  return playedFrom ? 'played' : 'machine';
}

export const systemClock: Clock = { now: () => new Date() };

/** A clock that can be set, used to play past nights. */
export interface PlayedClock extends Clock {
  readonly playedFrom: Date;
  /** Sets the clock; it continues from there at normal speed. */
  set(instant: Date): void;
}

/** A clock that starts at `start` and runs at normal speed; used for `--now` and played nights. */
export function clockFrom(start: Date): PlayedClock {
  let offsetMs = start.getTime() - Date.now();
  return {
    now: () => new Date(Date.now() + offsetMs),
    playedFrom: start,
    set(instant) {
      offsetMs = instant.getTime() - Date.now();
    },
  };
}
