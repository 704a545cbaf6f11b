import { isConnectionError } from '../db/connection-error.ts';

/** Why a response failed: the database is not reachable (503), or the program has a bug (500). */
export interface Failure {
  readonly status: 503 | 500;
  /** One line for the user; details are only in the log. */
  readonly line: string;
}

export function failureOf(error: unknown): Failure {
  return isConnectionError(error)
    ? { status: 503, line: 'The database cannot be reached at the moment.' }
    : { status: 500, line: 'The request failed because of a fault in Pricebook. Details are in the log.' };
}
