import { limitLines } from './limited-lines.ts';

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
 * Tells of each reason why the server cannot serve once until it is back: everybody who holds a connection meets it,
 * and tries again each second. Whatever else fails is told at most once a minute, and so is a server that comes and
 * goes.
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
