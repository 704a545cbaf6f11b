import type { Question } from './gateway.ts';
import type { Quota } from './quota.ts';

/**
 * What the gateway needs of whoever keeps the accounts: permission before each request, and word of what became of it.
 */
export interface Spend {
  /**
   * Resolves when the request may go out now. Throws `BudgetExhausted` when a quota is used up, `AccessDenied` or
   * `UpstreamUnavailable` while the listing is stopped for that reason, and the signal's reason when it is aborted.
   */
  reserve(question: Question, options?: { signal?: AbortSignal }): Promise<Reservation>;
  /**
   * Its request goes out at this very moment, which may be later than it might have: a connection had to be made first.
   * false: it is too late for it, and another reservation is needed.
   */
  sent(reservation: Reservation): boolean;
  /**
   * Every reservation is settled once. Resolves when a stop is known to all processes; plain counts may be written
   * later.
   */
  settle(reservation: Reservation, outcome: Outcome): Promise<void>;
}

/** Permission for one request. */
export interface Reservation {
  readonly listing: Question['listing'];
  readonly endpoint: string;
  readonly region: Question['region'];
  readonly runId: number | null;
  /** Start of the hour it is counted in. */
  readonly hour: Date;
  /** Print of the key it was reserved with. */
  readonly key?: string;
}

/**
 * What became of a request. `failed`: no usable answer, may succeed later; `refused`: answered, with something that
 * asking again will not change; `rate_limited`: too fast; `quota`: used up; `denied`: the key; `aborted`: we hung up;
 * `unsent`: it certainly never went out, and is counted nowhere.
 */
export type OutcomeKind = 'ok' | 'failed' | 'refused' | 'rate_limited' | 'quota' | 'denied' | 'aborted' | 'unsent';

/** Outcomes of requests that may have gone out. */
export type CountedOutcome = Exclude<OutcomeKind, 'unsent'>;

export interface Outcome {
  readonly kind: OutcomeKind;
  /** What the response's headers said of the quota. */
  readonly quota?: Quota | null;
  /** For `rate_limited`: nobody asks this listing for so long. */
  readonly retryAfterMs?: number;
  /** For `quota`: when the upstream says it turns. */
  readonly until?: Date | null;
  /** One line of what went wrong, without a key. */
  readonly what?: string;
  /** From the request to the last byte of its answer, or to its failure; none: it never went out. */
  readonly tookMs?: number;
  /** One more try of a question that has just failed: of the upstream as a whole it says nothing new. */
  readonly isAgain?: boolean;
}
