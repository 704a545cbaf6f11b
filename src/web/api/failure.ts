import { NothingFound, UsageInvalid } from '../../base/errors.ts';
import { isConnectionError } from '../../db/connection-error.ts';

/** A parameter that no page or question can take; other invalid ones contradict each other. */
export class Malformed extends UsageInvalid {
  readonly parameter: string;
  constructor(parameter: string, why: string) {
    super(`“${parameter}” ${why}.`);
    this.parameter = parameter;
  }
}

/** Throws `Malformed` for a text, or an object or a list of texts, with NUL, which PostgreSQL cannot store. */
export function refuseNul(given: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(given))
    if (Object.values(Object(value)).join('').includes('\0'))
      throw new Malformed(name, 'contains the character NUL (%00)');
}

/** A page of nights that have changed since the first page. */
export class BookChanged extends Error {}

/** Why a request is not answered: a refusal (below 500), an unreachable database (503) or a bug (500). */
export interface Failure {
  readonly status: number;
  /** One line for the user; details of a failure are only in the log. */
  readonly line: string;
}

/** The first that fits. */
const refusals = [
  [Malformed, 400],
  [UsageInvalid, 422],
  [NothingFound, 404],
  [BookChanged, 409],
] as const;

export function failureOf(error: unknown): Failure {
  for (const [kind, status] of refusals) if (error instanceof kind) return { status, line: error.message };
  return isConnectionError(error)
    ? { status: 503, line: 'The database cannot be reached. No data are lost; ask again in a while.' }
    : { status: 500, line: 'Pricebook has a fault. Your data are unharmed; details are in the log.' };
}
