/** Translates instants of the database's clock into this process's own one. All in milliseconds. */
interface ServerTime {
  /** A reading of the server's clock: asked for at `askedMs`, here at `receivedMs`. */
  observe(serverMs: number, askedMs: number, receivedMs: number): void;
  /** Not before that instant, and at most `uncertaintyMs` after it. */
  toLocal(serverMs: number): number;
  /** At least that instant has come, and it is at most `uncertaintyMs` later. */
  toServer(localMs: number): number;
  uncertaintyMs(): number;
}

/**
 * Of the last readings the one that travelled fastest is the truest; old ones are forgotten, and all of them when a
 * clock was set.
 */
export function createServerTime(): ServerTime {
  let readings: Reading[] = [];
  let best: Reading = { offsetMs: 0, uncertaintyMs: 0, receivedMs: 0 };

  return {
    observe(serverMs, askedMs, receivedMs) {
      const reading = { offsetMs: receivedMs - serverMs, uncertaintyMs: receivedMs - askedMs, receivedMs };
      // The clocks' distance lies between an answer's and its question's: readings that share none are of clocks that
      // were set.
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
/** Clocks drift apart: by a hundredth of a percent, a millisecond in this time. */
const believedMs = 10_000;
const toleratedMs = 1;
