/** Writes one line to a log. */
type WriteLine = (fields: object, message: string) => void;

/** The least time between two lines of one kind. */
const lineEveryMs = 60_000;

/** More kinds than this are not remembered; the oldest is forgotten. */
const maxKinds = 200;

interface Kind {
  saidMs: number;
  leftOut: number;
}

/**
 * Writes at most one line a minute of each kind, for warnings that are repeated while something lasts. Lines are of one
 * kind if their message and reason agree in everything but numbers and ids. The next line says in `leftOut` how many
 * were left out before it.
 */
export function limitLines(write: WriteLine, now: () => number = () => performance.now()): WriteLine {
  const kinds = new Map<string, Kind>();
  return (fields, message) => {
    const { reason } = fields as { reason?: unknown };
    const name = withoutNumbers(`${message} ${typeof reason === 'string' ? reason : ''}`);
    const kind = kinds.get(name);
    if (kind && now() - kind.saidMs < lineEveryMs) {
      kind.leftOut += 1;
      return;
    }
    const leftOut = kind?.leftOut ?? 0;
    kinds.delete(name);
    kinds.set(name, { saidMs: now(), leftOut: 0 });
    if (kinds.size > maxKinds) kinds.delete(kinds.keys().next().value!);
    write(leftOut === 0 ? fields : { ...fields, leftOut }, message);
  };
}

/** Errors of a server, logged like limited lines until `stop`: every connection may meet the same error each second. */
export interface LimitedErrors {
  met(error: Error, message: string, fields?: object): void;
  /** Stops logging, because the server is no longer needed. */
  stop(): void;
}

export function limitErrors(log: { warn: WriteLine }, now?: () => number): LimitedErrors {
  let warn: WriteLine = limitLines((fields, message) => log.warn(fields, message), now);
  return {
    met: ({ message: reason }, message, fields = {}) => warn({ ...fields, reason }, message),
    stop() {
      warn = () => undefined;
    },
  };
}

/** A text in which every word with a digit is the same: ports, job numbers, hashes. */
function withoutNumbers(text: string): string {
  return text.replace(/[\w-]*\d[\w-]*/g, '#');
}
