/** What time it is, injected everywhere; nothing else in the program asks the machine. */
export interface Clock {
  /** The current instant. */
  now(): Date;
  /** The instant it was set to (`--now`); absent on the machine's clock. */
  readonly playedFrom?: Date;
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => new Date() };

/** A clock that is set forward from night to night. */
export interface PlayedClock extends Clock {
  readonly playedFrom: Date;
  /** From here it goes on at the usual pace. */
  set(instant: Date): void;
}

/** A clock that reads `start` now and goes on from there at the usual pace: rehearsals and `--now`. */
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
