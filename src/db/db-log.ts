/** What the database layer needs of a logger; pino fits. */
export interface DbLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Says nothing. */
export const silentLog: DbLog = { info: () => {}, warn: () => {} };
