/** What a check found. An `error` keeps the program from working, a `warning` may some day. */
export interface Diagnosis {
  readonly level: 'ok' | 'warning' | 'error';
  /** What was looked at, in a word or two. */
  readonly about: string;
  /** One line: how it is, and what to do about it. */
  readonly says: string;
  /** What the command would exit with; errors only, 1 unless said. */
  readonly exitCode?: number;
}

export function fine(about: string, says: string): Diagnosis {
  return { level: 'ok', about, says };
}

export function warning(about: string, says: string): Diagnosis {
  return { level: 'warning', about, says };
}

/** Configuration, a limit, a server that cannot be reached: scripts act on each in its own way. */
const told: ReadonlySet<number> = new Set([78, 75, 69]);

/** An expected error says it all in its message; so does any other that a check may meet. */
export function failure(about: string, error: unknown): Diagnosis {
  const { message, exitCode } = error as { message?: string; exitCode?: number };
  return {
    level: 'error',
    about,
    says: (message ?? String(error)).replace(/\s*\n\s*/g, ' '),
    exitCode: exitCode !== undefined && told.has(exitCode) ? exitCode : 1,
  };
}
