/** When requests to a listing may go out. Milliseconds of one clock, whichever it is. */
export interface Pace {
  /** By schedule, when the next one may go; the schedule is even and does not move when a single request is late. */
  readonly nextSlotMs: number;
  /** When the last ones went out, oldest first. */
  readonly sentMs: readonly number[];
}

/**
 * The next `count` slots at `requestsPerSecond`, none in the past. Evenly spaced, a little slower than allowed; and, whatever
 * was late before, no window of a second (of a hundred requests at higher rates) ever holds more than allowed.
 */
export function takeSlots(
  pace: Pace,
  nowMs: number,
  count: number,
  requestsPerSecond: number,
): { readonly slotsMs: readonly number[]; readonly pace: Pace } {
  const spacingMs = (1_000 / requestsPerSecond) * slower;
  const inWindow = Math.min(Math.max(Math.floor(requestsPerSecond), 1), longestMemory);
  const windowMs = (inWindow / requestsPerSecond) * 1_000 * safety;
  const slotsMs: number[] = [];
  const sentMs = pace.sentMs.filter((ms) => isBelievable(ms, nowMs));
  let nextMs = isBelievable(pace.nextSlotMs, nowMs) ? pace.nextSlotMs : nowMs;

  for (let i = 0; i < count; i++) {
    // A little behind its schedule, it catches up; after a pause there is nothing to catch up with.
    if (nextMs < nowMs - spacingMs) nextMs = nowMs;
    const slotMs = Math.max(
      nowMs,
      nextMs,
      (sentMs.at(-1) ?? Number.NEGATIVE_INFINITY) + spacingMs / 2,
      (sentMs.at(-inWindow) ?? Number.NEGATIVE_INFINITY) + windowMs,
    );
    slotsMs.push(slotMs);
    sentMs.push(slotMs);
    nextMs += spacingMs;
  }
  return { slotsMs, pace: { nextSlotMs: nextMs, sentMs: sentMs.slice(-inWindow) } };
}

/** The pace once it is known that what should have gone out at `slotMs` went out at `actualMs`. */
export function sentLate(pace: Pace, slotMs: number, actualMs: number): Pace {
  const at = pace.sentMs.lastIndexOf(slotMs);
  return at < 0 ? pace : { ...pace, sentMs: pace.sentMs.with(at, actualMs) };
}

/**
 * 1.4 % slower than allowed keeps the achieved rate above 98 % of it. Most of that is kept between windows, so that requests which
 * reach the upstream unequally fast (12 ms in a second) still stay below its limit; the rest is for those that go out late.
 */
const slower = 1.014;
const safety = 1.012;

const longestMemory = 100;

/** The longest pause an upstream can ask for, and a minute: a slot further away comes from a clock that was set back. */
const furthestMs = 16 * 60_000;

function isBelievable(slotMs: number, nowMs: number): boolean {
  return slotMs <= nowMs + furthestMs;
}
