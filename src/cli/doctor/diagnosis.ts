/** Result of a check. An `error` prevents the program from working, a `warning` may do so later. */
export interface Diagnosis {
  readonly level: 'ok' | 'warning' | 'error';
  /** Subject of the check, one or two words. */
  readonly about: string;
  /** One line: the result and what to do about it. */
  readonly says: string;
  /** Exit code of the command; errors only, 1 by default. */
  readonly exitCode?: number;
}

export function fine(about: string, says: string): Diagnosis {
  return { level: 'ok', about, says };
}

export function warning(about: string, says: string): Diagnosis {
  return { level: 'warning', about, says };
}

/** Exit codes that scripts distinguish: configuration (78), a limit (75), an unreachable server (69). */
const told: ReadonlySet<number> = new Set([78, 75, 69]);

/** Turns an error into a diagnosis. Messages of all errors that checks may meet explain themselves. */
export function failure(about: string, error: unknown): Diagnosis {
  const { message, exitCode } = error as { message?: string; exitCode?: number };
  return {
    level: 'error',
    about,
    says: (message ?? String(error)).replace(/\s*\n\s*/g, ' '),
    exitCode: exitCode !== undefined && told.has(exitCode) ? exitCode : 1,
  };
}
