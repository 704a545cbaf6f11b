/**
 * The slots of a listing that this process reserved, in milliseconds of the database's clock. No window of a second
 * holds more departures than it may: a request goes out at its slot or a few milliseconds later. It may go out later
 * still while the next window belongs to this process alone, as then its own departures are all there are.
 */
export interface Pace {
  readonly left: number;
  add(slots: { firstMs: number; count: number; gapMs: number; guardMs: number }): void;
  /**
   * A departure now, when to ask again, or `none` without a slot for it; `late` when only more slots behind it could
   * allow it.
   */
  take(
    units: number,
    now: Now,
    options: { dropsLate: boolean },
  ): Departure | { readonly againMs: number } | 'none' | 'late';
  /** The request goes out at this moment; false: it is too late for its slots. */
  depart(departure: Departure, now: Now): boolean;
  giveUp(departure: Departure): void;
  /** Forgets all slots, for instance because the upstream asks for a pause. */
  clear(): void;
  /** How late slots may be used beyond what the distance between them leaves room for. */
  guardMs(uncertaintyMs: number): number;
}

/** A moment by the database's clock: between `ms` and `ms + uncertaintyMs`. */
export interface Now {
  readonly ms: number;
  readonly uncertaintyMs: number;
}

export interface Departure {
  /** When it went out, or was let through, at the latest. */
  ms: number;
  readonly units: number;
  readonly slots: readonly Slot[];
}

interface Slot {
  readonly ms: number;
  readonly slackMs: number;
  /** Slots of this process without any of another's in between, until `endMs`. */
  readonly stretch: { endMs: number };
}

/** Slots lie this much further apart than the rate asks for; see reserve.sql. */
const slower = 1.0155;
/** Departures of one process keep a longer window than the upstream's: ways there differ in length. */
const widened = 1.012;
const wayMs = 8;
/** A timer fires, and a request is written, within so many milliseconds. */
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

  /** No slot is used so late that a slot of another process may be within the window after it. */
  function isInTime({ ms, slots: taken }: Departure): boolean {
    return taken.every((slot) => ms <= slot.ms + slot.slackMs || ms + windowMs <= slot.stretch.endMs);
  }

  /** When so many more units fit into the window before them, by what this process sent; evenly, also after a delay. */
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
