import { limitLines } from './limited-lines.ts';

interface Log {
  warn(fields: object, message: string): void;
}

/** Logs problems with a server without repeating itself. */
export interface Outage {
  /** Reports an error of the server or the connection. */
  met(error: Error, message: string, fields?: object): void;
  /** Reports a successful connection. */
  ended(): void;
  /** Stops logging, because the connection is no longer needed. */
  stopTelling(): void;
}

/**
 * Logs each reason for an outage once until the server is back, because every connection meets the same error each
 * second. Other errors, and a server that comes and goes, are logged at most once a minute.
 */
export function createOutage(log: Log, isOfServer: (error: Error) => boolean, now?: () => number): Outage {
  const warn = limitLines((fields, message) => log.warn(fields, message), now);
  const told = new Set<string>();
  let isSilent = false;
  return {
    met(error, message, fields = {}) {
      const { message: reason } = error;
      if (isSilent || told.has(reason)) return;
      if (isOfServer(error)) told.add(reason);
      warn({ ...fields, reason }, message);
    },
    ended: () => told.clear(),
    stopTelling() {
      isSilent = true;
    },
  };
}
