interface Log {
  warn(fields: object, message: string): void;
}

/** What goes wrong with a server, as the log is told of it. */
export interface Outage {
  /** Something failed at the server, or on the way to it. */
  met(error: Error, message: string, fields?: object): void;
  /** A connection was made. */
  ended(): void;
  /** Nobody waits for the server any more. */
  stopTelling(): void;
}

/**
 * Tells of each reason why connections are lost once until the server is back: everybody who holds one meets it, and
 * looks again each second. Whatever else fails is told every time.
 */
export function createOutage(log: Log, isConnectionError: (error: Error) => boolean): Outage {
  const told = new Set<string>();
  let isSilent = false;
  return {
    met(error, message, fields = {}) {
      const { message: reason } = error;
      if (isSilent || told.has(reason)) return;
      if (isConnectionError(error)) told.add(reason);
      log.warn({ ...fields, reason }, message);
    },
    ended: () => told.clear(),
    stopTelling() {
      isSilent = true;
    },
  };
}
