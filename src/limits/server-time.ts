/** Translates instants of the database's clock into this process's monotonic one. */
export interface ServerTime {
  /** A reading of the server's clock that has just arrived. Both in milliseconds. */
  observe(serverMs: number, receivedMs: number): void;
  toLocal(serverMs: number): number;
}

/** The reading that travelled fastest is the truest; older ones are forgotten, and all of them when a clock was set. */
export function createServerTime(): ServerTime {
  let offsets: number[] = [];
  const offset = () => Math.min(...offsets);
  return {
    observe(serverMs, receivedMs) {
      const seen = receivedMs - serverMs;
      if (offsets.length > 0 && Math.abs(seen - offset()) > believableMs) offsets = [];
      offsets = [...offsets.slice(-(remembered - 1)), seen];
    },
    toLocal: (serverMs) => serverMs + offset(),
  };
}

const remembered = 16;
/** A reply later than this says nothing of the clocks, or they were set. */
const believableMs = 100;
