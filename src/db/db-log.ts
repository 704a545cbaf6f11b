/** Subset of a logger that the database layer needs; pino implements it. */
export interface DbLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export const silentLog: DbLog = { info: () => {}, warn: () => {} };
