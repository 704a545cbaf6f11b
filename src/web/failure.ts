import { isConnectionError } from '../db/connection-error.ts';

/** Why an answer could not be given: the database is away, which passes by itself, or this program has a fault. */
export interface Failure {
  readonly status: 503 | 500;
  /** One line for whoever asked; what exactly happened is in the log, and nowhere else. */
  readonly line: string;
}

export function failureOf(error: unknown): Failure {
  return isConnectionError(error)
    ? { status: 503, line: 'The database cannot be asked at the moment.' }
    : { status: 500, line: 'This answer failed through a fault in Pricebook; the log says more.' };
}
