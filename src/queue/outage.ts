interface Log {
  warn(fields: object, message: string): void;
}

/** What goes wrong with the server of the queues, as the log is told of it. */
export interface Outage {
  /** A connection failed. */
  met(error: Error, message: string, fields?: object): void;
  /** A connection was made. */
  isOver(): void;
  /** Nobody waits for the server any more. */
  ignore(): void;
}

/** Tells of each reason once until the server is back: every queue and every worker meets it, and looks again each second. */
export function createOutage(log: Log): Outage {
  const told = new Set<string>();
  let isIgnored = false;
  return {
    met({ message: reason }, message, fields = {}) {
      if (isIgnored || told.has(reason)) return;
      told.add(reason);
      log.warn({ ...fields, reason }, message);
    },
    isOver: () => told.clear(),
    ignore() {
      isIgnored = true;
    },
  };
}
