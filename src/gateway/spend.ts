import type { Question } from './gateway.ts';
import type { Quota } from './quota.ts';

/** Accounting that the gateway needs: a reservation before each request, and a settlement after it. */
export interface Spend {
  /**
   * Resolves when the request may be sent. Throws `BudgetExhausted` if a quota is used up, `AccessDenied` or
   * `UpstreamUnavailable` while the listing is stopped for that reason, and the signal's reason if it is aborted.
   */
  reserve(question: Question, options?: { signal?: AbortSignal }): Promise<Reservation>;
  /**
   * Called just before the request is sent, which may be later than planned because a connection had to be opened.
   * False: the reservation has expired, and another one is needed.
   */
  sent(reservation: Reservation): boolean;
  /**
   * Settles a reservation, exactly once. Resolves when a resulting stop is visible to all processes; counts may be
   * written later.
   */
  settle(reservation: Reservation, outcome: Outcome): Promise<void>;
}

/** Permission for one request. */
export interface Reservation {
  readonly listing: Question['listing'];
  readonly endpoint: string;
  readonly region: Question['region'];
  readonly runId: number | null;
  /** Start of the hour in which it is counted. */
  readonly hour: Date;
  /** Fingerprint of the key at the time of the reservation. */
  readonly key?: string;
}

/**
 * Outcome of a request. `failed`: no usable answer, may succeed later; `refused`: an answer that repeating will not
 * change; `rate_limited`: too fast; `quota`: used up; `denied`: key refused; `aborted`: cancelled by us; `unsent`:
 * never sent, and not counted.
 */
export type OutcomeKind = 'ok' | 'failed' | 'refused' | 'rate_limited' | 'quota' | 'denied' | 'aborted' | 'unsent';

/** Outcomes of requests that may have been sent. */
export type CountedOutcome = Exclude<OutcomeKind, 'unsent'>;

export interface Outcome {
  readonly kind: OutcomeKind;
  /** Quota according to the response's headers. */
  readonly quota?: Quota | null;
  /** For `rate_limited`: pause of this listing for all processes. */
  readonly retryAfterMs?: number;
  /** For `quota`: reset time according to the upstream. */
  readonly until?: Date | null;
  /** Error message in one line, without the key. */
  readonly what?: string;
  /** From the request to the last byte of its answer, or to its failure; undefined if it was never sent. */
  readonly tookMs?: number;
  /** Repeats a request that has just failed, so its failure is not counted against the upstream again. */
  readonly isAgain?: boolean;
}
