/**
 * Reserved slots of a listing, in milliseconds of the database's clock. No one-second window may hold more departures
 * than the rate allows, so a request is sent at its slot or a few milliseconds later. It may be sent later still if the
 * next window belongs to this process alone, because then only its own departures count.
 */
export interface Pace {
  readonly left: number;
  /** Whether the last slot is still to come. */
  isAhead(now: Now): boolean;
  add(slots: { firstMs: number; count: number; gapMs: number; guardMs: number }): void;
  /**
   * Takes slots for a request now, or returns when to try again. `none`: there are not enough slots; `late`: the slots
   * are too old, and only further ones could help.
   */
  take(
    units: number,
    now: Now,
    options: { dropsLate: boolean },
  ): Departure | { readonly againMs: number } | 'none' | 'late';
  /** Called when the request is about to be sent; false: it is too late for its slots. */
  depart(departure: Departure, now: Now): boolean;
  giveUp(departure: Departure): void;
  /** Drops all slots, for example because the upstream asks for a pause. */
  clear(): void;
  /** Additional tolerance for late slots, beyond the slack between them. */
  guardMs(uncertaintyMs: number): number;
}

/** An instant of the database's clock between `ms` and `ms + uncertaintyMs`. */
export interface Now {
  readonly ms: number;
  readonly uncertaintyMs: number;
}

export interface Departure {
  /** Latest possible time at which it was granted or sent. */
  ms: number;
  readonly units: number;
  readonly slots: readonly Slot[];
}

interface Slot {
  readonly ms: number;
  readonly slackMs: number;
  /** Consecutive slots of this process, without other processes' slots in between, until `endMs`. */
  readonly stretch: { endMs: number };
}

/** Factor by which slots are further apart than the rate requires; see reserve.sql. */
const slower = 1.0155;
/** Factor by which a process widens the window for its own departures, because network delays vary. */
const widened = 1.012;
const wayMs = 8;
/** Maximum delay of a timer plus writing a request. */
const timerMs = 8;

export function createPace(requestsPerSecond: number): Pace {
  const perWindow = Math.max(1, Math.floor(requestsPerSecond));
  const rateWindowMs = (perWindow / requestsPerSecond) * 1_000;
  const windowMs = rateWindowMs * widened;
  const slackMs = rateWindowMs * (slower - 1) - wayMs;
  const gapMs = (1_000 / requestsPerSecond) * slower;
  let slots: Slot[] = [];
  let stretch = { endMs: 0 };
  let departures: Departure[] = [];

  return {
    get left() {
      return slots.length;
    },
    isAhead: (now) => (slots.at(-1)?.ms ?? 0) > now.ms,
    add({ firstMs, count, gapMs: given, guardMs }) {
      if (Math.abs(firstMs - stretch.endMs) > 0.01) stretch = { endMs: 0 };
      stretch.endMs = firstMs + count * given;
      for (let i = 0; i < count; i++) slots.push({ ms: firstMs + i * given, slackMs: slackMs + guardMs, stretch });
    },
    take(units, now, { dropsLate }) {
      const needed = Math.min(units, perWindow);
      for (;;) {
        const taken = slots.slice(0, needed);
        if (taken.length < needed) return 'none';
        const earliestMs = Math.max(taken.at(-1)!.ms, clearAt(needed, null));
        if (now.ms < earliestMs) return { againMs: earliestMs };
        const departure = { ms: now.ms + now.uncertaintyMs, units: needed, slots: taken };
        if (isInTime(departure)) {
          slots = slots.slice(needed);
          departures = [...departures.filter(({ ms }) => ms > now.ms - 2 * windowMs), departure];
          return departure;
        }
        if (!dropsLate) return 'late';
        slots.shift();
      }
    },
    depart(departure, now) {
      const before = departure.ms;
      departure.ms = now.ms + now.uncertaintyMs;
      if (isInTime(departure) && now.ms >= clearAt(departure.units, departure)) return true;
      departure.ms = before;
      return false;
    },
    giveUp(departure) {
      departures = departures.filter((other) => other !== departure);
    },
    clear() {
      slots = [];
      stretch = { endMs: 0 };
    },
    guardMs: (uncertaintyMs) => Math.max(0, uncertaintyMs + timerMs - slackMs),
  };

  /** Whether no slot is so late that another process's slot may lie in the window after it. */
  function isInTime({ ms, slots: taken }: Departure): boolean {
    return taken.every((slot) => ms <= slot.ms + slot.slackMs || ms + windowMs <= slot.stretch.endMs);
  }

  /**
   * Earliest time at which the units fit into the window, given this process's departures; evenly spaced, even after a
   * delay.
   */
  function clearAt(units: number, own: Departure | null): number {
    const others = departures.filter((departure) => departure !== own).sort((one, other) => other.ms - one.ms);
    const apartMs = own === null && others[0] ? others[0].ms + gapMs / 2 : 0;
    let sum = units;
    const full = others.find((departure) => {
      sum += departure.units;
      return sum > perWindow;
    });
    return Math.max(apartMs, full ? full.ms + windowMs : 0);
  }
}
