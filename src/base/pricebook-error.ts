/**
 * What went wrong with a request or a unit. `src/gateway/policy.ts` says what follows from each. `unreadable`: no
 * JSON; `unsent`: missed its slot; `contract`: not as its endpoint promises; `empty`: no records, or fewer than
 * expected; `waits`: a stop or a limit holds requests back for longer than a worker waits; `claim_lost`: another
 * worker has the unit; `room`: the archive or the database takes nothing; `bug`: nobody expected it.
 */
export type FailureKind =
  | 'rate_limited'
  | 'quota'
  | 'denied'
  | 'endpoint_disabled'
  | 'endpoint_missing'
  | 'redirect'
  | 'not_there'
  | 'refused'
  | 'unavailable'
  | 'unreadable'
  | 'unknown'
  | 'unsent'
  | 'contract'
  | 'empty'
  | 'waits'
  | 'claim_lost'
  | 'room'
  | 'server_away'
  | 'bug';

/** The kind of any error; `bug` for one that nobody expected. */
export const kindOf = (error: unknown): FailureKind => (error instanceof PricebookError ? error.kind : 'bug');

/**
 * Base class of all expected errors. Messages are for people: what happened, what it means, what to do. They never
 * contain a key. Any other error is a bug and keeps its stack trace.
 */
export abstract class PricebookError extends Error {
  /** Exit code of a command that ends with this error (sysexits: 69 unavailable, 75 try later, 78 configuration). */
  readonly exitCode: number = 1;
  readonly kind: FailureKind = 'bug';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = new.target.name;
  }
}

/** An error that only its message and exit code distinguish. */
export class Refused extends PricebookError {
  override readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Text of the upstream without its full stop, for use within a sentence. */
export function asSaid(what: string): string {
  return what.replace(/\.\s*$/, '');
}
