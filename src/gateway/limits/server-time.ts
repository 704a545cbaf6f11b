/** Converts instants between the database's clock and this process's clock, in milliseconds. */
interface ServerTime {
  /** Records a reading of the server's clock, requested at `askedMs` and received at `receivedMs`. */
  observe(serverMs: number, askedMs: number, receivedMs: number): void;
  /** Local time that is not before the instant, and at most `uncertaintyMs` after it. */
  toLocal(serverMs: number): number;
  /** Server time that has certainly been reached; the true time is at most `uncertaintyMs` later. */
  toServer(localMs: number): number;
  uncertaintyMs(): number;
}

/**
 * Uses the recent reading with the shortest round trip, which is the most accurate. All readings are dropped if a clock
 * was set.
 */
export function createServerTime(): ServerTime {
  let readings: Reading[] = [];
  let best: Reading = { offsetMs: 0, uncertaintyMs: 0, receivedMs: 0 };

  return {
    observe(serverMs, askedMs, receivedMs) {
      const reading = { offsetMs: receivedMs - serverMs, uncertaintyMs: receivedMs - askedMs, receivedMs };
      // The offset lies between those at request and at response. Readings without a common offset mean that a clock
      // was set.
      const agrees = (other: Reading) =>
        reading.offsetMs - reading.uncertaintyMs <= other.offsetMs + toleratedMs &&
        other.offsetMs - other.uncertaintyMs <= reading.offsetMs + toleratedMs;
      const isRecent = (other: Reading) => receivedMs - other.receivedMs <= believedMs;
      readings = [...readings.filter((other) => agrees(other) && isRecent(other)).slice(-(remembered - 1)), reading];
      best = readings.reduce((one, other) => (other.uncertaintyMs < one.uncertaintyMs ? other : one));
    },
    toLocal: (serverMs) => serverMs + best.offsetMs,
    toServer: (localMs) => localMs - best.offsetMs,
    uncertaintyMs: () => best.uncertaintyMs,
  };
}

interface Reading {
  readonly offsetMs: number;
  readonly uncertaintyMs: number;
  readonly receivedMs: number;
}

const remembered = 16;
/** Clocks drift by about 0.01%: one millisecond in this time. */
const believedMs = 10_000;
const toleratedMs = 1;
